/** Every kind of event, and what one means. Pure. */
import { z } from 'zod';
import { type Incident, isActive } from '../incident';
import { EVENT_TRANSITIONS, INCIDENT_EVENT_KINDS, type IncidentEventKind } from '../states';
import type { Applied } from '../transitions';
import { acknowledged, acknowledgementEnded } from './acknowledged';
import { alertEnded, alertsQuiet } from './alert-ended';
import { alertFiring } from './alert-firing';
import { chainEnded, chainStarted, lookRefused } from './chain';
import type { EventNames, eventKind } from './event-kind';
import { joined, merged } from './merged';
import { needsHuman } from './needs-human';
import { resolved, verified } from './resolved';
import { serviceFailing } from './service-failing';
import { serviceRecovered, serviceRemoved, serviceUnknown } from './service-recovered';
import { silenced, silenceEnded } from './silenced';

const EVENTS = {
  service_failing: serviceFailing,
  service_recovered: serviceRecovered,
  service_unknown: serviceUnknown,
  service_removed: serviceRemoved,
  alert_firing: alertFiring,
  alert_ended: alertEnded,
  alerts_quiet: alertsQuiet,
  chain_started: chainStarted,
  chain_ended: chainEnded,
  look_refused: lookRefused,
  needs_human: needsHuman,
  acknowledged,
  acknowledgement_ended: acknowledgementEnded,
  verified,
  resolved,
  merged,
  joined,
  silenced,
  silence_ended: silenceEnded,
} satisfies Record<IncidentEventKind, unknown>;

export type EventOf<Kind extends IncidentEventKind> = {
  [Each in Kind]: { kind: Each } & z.output<(typeof EVENTS)[Each]['schema']>;
}[Kind];
export type IncidentEvent = EventOf<IncidentEventKind>;

function kindOf({ kind }: { kind: IncidentEventKind }): ReturnType<typeof eventKind<z.ZodType>> {
  return EVENTS[kind];
}

const storedSchema = z.looseObject({ kind: z.enum(INCIDENT_EVENT_KINDS) });

/** Returns an event as it was stored. */
export function parseEvent(stored: unknown): IncidentEvent {
  const event = storedSchema.parse(stored);
  return { ...(kindOf(event).schema.parse(event) as object), kind: event.kind } as IncidentEvent;
}

/**
 * Returns what follows from an event that happened `at` that time. Nothing else changes the state of an incident.
 *
 * @throws Error for a change of state that EVENT_TRANSITIONS doesn't have
 */
export function applyEvent(incident: Incident, event: IncidentEvent, at: Date): Applied {
  const applied = kindOf(event).apply(incident, event, at);
  const [from, to] = [incident.state, applied.incident.state];
  if (from !== to && !EVENT_TRANSITIONS[event.kind][from]?.includes(to)) {
    throw new Error(`The event ${event.kind} can’t lead from ${from} to ${to}.`);
  }
  if (from !== 'verifying' || !isActive(applied.incident)) return applied;
  return { ...applied, notices: [...applied.notices, 'verification_failed'] };
}

/** Returns one sentence for an event. */
export function timelineText(event: IncidentEvent, names: EventNames): string {
  return kindOf(event).text(event, names);
}

/** Whether a person did something, so that the text of such an event begins with the person. */
export function isByPerson({ kind }: { kind: IncidentEventKind }): boolean {
  return kindOf({ kind }).isByPerson ?? false;
}

/** Whether people were kept from acting, so that they are notified of what they knew before. */
export function isReminder(event: IncidentEvent): boolean {
  return kindOf(event).isReminder ?? false;
}
