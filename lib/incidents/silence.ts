/** Silence: people get no messages about an incident for a time; everything else continues. Pure. */
import type { Incident, IncidentEvent } from './incident';
import { type Applied, quiet } from './transitions';

/** Silences an incident that isn't over. A later silence replaces an earlier one. */
export function silenced(
  incident: Incident,
  { by, endsAt }: Extract<IncidentEvent, { kind: 'silenced' }>,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  const silence = { by, endsAt: endsAt === null ? null : new Date(endsAt) };
  return quiet({ ...incident, silence });
}

/** People are notified again, and at once if they are still needed and nobody works on it. */
export function silenceEnded(incident: Incident): Applied {
  if (incident.silence === null) return quiet(incident);
  const isNeeded = incident.state === 'open' && incident.needsHuman !== null;
  return { incident: { ...incident, silence: null }, notices: isNeeded ? ['needs_human'] : [] };
}
