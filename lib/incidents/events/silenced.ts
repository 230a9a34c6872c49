/** Silence: people get no messages about the incident for a time; everything else continues. Pure. */
import { z } from 'zod';
import { utcClock } from '../sentences';
import { quiet } from '../transitions';
import { eventKind, noted } from './event-kind';

/** A later silence replaces an earlier one. */
export const silenced = eventKind({
  schema: z.object({ by: z.string(), endsAt: z.string().nullable(), note: z.string() }),
  apply(incident, { by, endsAt }) {
    if (incident.state === 'resolved') return quiet(incident);
    const silence = { by, endsAt: endsAt === null ? null : new Date(endsAt) };
    return quiet({ ...incident, silence });
  },
  text({ by, endsAt, note }) {
    const until = endsAt === null ? 'it is resolved' : utcClock(new Date(endsAt));
    return `${by} silenced it until ${until}.${noted(note)}`;
  },
  isByPerson: true,
});

/** People are notified again, and at once if they are still needed and nobody works on it. */
export const silenceEnded = eventKind({
  /** `by` null: its time was over. */
  schema: z.object({ by: z.string().nullable() }),
  apply(incident) {
    if (incident.state === 'resolved' || incident.silence === null) return quiet(incident);
    const isNeeded = incident.state === 'open' && incident.needsHuman !== null;
    return { incident: { ...incident, silence: null }, notices: isNeeded ? ['needs_human'] : [] };
  },
  text: ({ by }) => (by === null ? 'The silence ended.' : `${by} ended the silence.`),
  isByPerson: true,
  isReminder: true,
});
