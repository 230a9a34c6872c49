/** A person works on the incident, until they stop or the time is over. Pure. */
import { z } from 'zod';
import { type Incident, presentServices } from '../incident';
import { type Applied, quiet } from '../transitions';
import { eventKind, noted } from './event-kind';

export const acknowledged = eventKind({
  schema: z.object({ by: z.string(), endsAt: z.string().nullable(), note: z.string() }),
  apply(incident, { by, endsAt }, at) {
    if (incident.state === 'resolved') return quiet(incident);
    const acknowledgement = { at, by, endsAt: endsAt === null ? null : new Date(endsAt) };
    const state = incident.state === 'open' ? 'acknowledged' : incident.state;
    return {
      incident: { ...incident, acknowledgement, state, lookDueAt: null },
      notices: ['acknowledged'],
    };
  },
  text: ({ by, note }) => `${by} acknowledged it.${noted(note)}`,
  isByPerson: true,
});

export const acknowledgementEnded = eventKind({
  /** `by` null: its time was over. */
  schema: z.object({ by: z.string().nullable() }),
  apply: (incident, { by }, at) => ended(incident, by, at),
  text: ({ by }) =>
    by === null ? 'The acknowledgement ended.' : `${by} removed the acknowledgement.`,
  isByPerson: true,
  isReminder: true,
});

function ended(incident: Incident, by: string | null, at: Date): Applied {
  const state = incident.state === 'acknowledged' ? 'open' : incident.state;
  const after: Incident = { ...incident, acknowledgement: null, state };
  if (state !== 'open') return quiet(after);
  // Whoever takes it back knows; if its time is over, nobody may.
  const needsHuman = after.needsHuman ?? { since: at, chainId: null };
  // Taken back, it waits for a human as before: no agent could fix it. Nobody has looked at what failed since.
  const since = incident.acknowledgement?.at ?? at;
  const isAsBefore =
    by !== null &&
    incident.needsHuman !== null &&
    !presentServices(incident).some(
      ({ status, failingSince }) => status !== 'healthy' && failingSince > since,
    );
  return {
    incident: { ...after, needsHuman, lookDueAt: after.unproven || isAsBefore ? null : at },
    notices: by === null ? ['needs_human'] : [],
  };
}
