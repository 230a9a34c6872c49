/** A person works on the incident, until they stop or the time is over. Pure. */
import { z } from 'zod';
import { type IncidentIn, presentServices } from '../incident';
import { type Applied, failing, quiet } from '../transitions';
import { eventKind, noted } from './event-kind';

export const acknowledged = eventKind({
  schema: z.object({ by: z.string(), endsAt: z.string().nullable(), note: z.string() }),
  apply(incident, { by, endsAt }, at) {
    if (incident.state === 'resolved') return quiet(incident);
    const acknowledgement = { at, by, endsAt: endsAt === null ? null : new Date(endsAt) };
    const after =
      incident.state === 'open'
        ? failing(incident, acknowledgement, null)
        : { ...incident, acknowledgement };
    return { incident: after, notices: ['acknowledged'] };
  },
  text: ({ by, note }) => `${by} acknowledged it.${noted(note)}`,
  isByPerson: true,
});

export const acknowledgementEnded = eventKind({
  /** `by` null: its time was over. */
  schema: z.object({ by: z.string().nullable() }),
  apply(incident, { by }, at) {
    if (incident.state === 'acknowledged') return ended(incident, by, at);
    return quiet(incident.state === 'open' ? incident : { ...incident, acknowledgement: null });
  },
  text: ({ by }) =>
    by === null ? 'The acknowledgement ended.' : `${by} removed the acknowledgement.`,
  isByPerson: true,
  isReminder: true,
});

function ended(incident: IncidentIn<'acknowledged'>, by: string | null, at: Date): Applied {
  // Whoever takes it back knows; if its time is over, nobody may.
  const needsHuman = incident.needsHuman ?? { since: at, chainId: null, unproven: null };
  // Taken back, it waits for a human as before: no agent could fix it. Nobody has looked at what failed since.
  const since = incident.acknowledgement.at;
  const isAsBefore =
    by !== null &&
    incident.needsHuman !== null &&
    !presentServices(incident).some(
      ({ status, failingSince }) => status !== 'healthy' && failingSince > since,
    );
  const lookDueAt = needsHuman.unproven || isAsBefore ? null : at;
  return {
    incident: failing({ ...incident, needsHuman }, null, lookDueAt),
    notices: by === null ? ['needs_human'] : [],
  };
}
