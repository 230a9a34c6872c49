/** The steps that events have in common. Pure. */
import {
  type Acknowledgement,
  type ActiveIncident,
  acknowledgementOf,
  type Ending,
  type FailingFacts,
  factsOf,
  type Incident,
  type IncidentIn,
  isActive,
  type Need,
  presentServices,
} from './incident';
import { holdsOpen } from './signals-of-incident';
import type { IncidentNotice, IncidentSource } from './states';

/** Outcomes of chains after which only a person can continue. */
export const NEED_A_HUMAN = ['needs_human', 'failed', 'lost'];

export interface Applied {
  incident: Incident;
  notices: IncidentNotice[];
}

/** No chain has looked yet, and nobody is needed. */
const UNTRIED = { needsHuman: null, fixChainId: null, humanDueAt: null };

/** Returns an incident that has just been opened, before what it is about. The agent looks at once. */
export function newIncident(
  source: IncidentSource,
  startedAt: Date,
  openedAt: Date,
): IncidentIn<'open'> {
  return {
    ...{ state: 'open', source, severity: 'warning', startedAt, openedAt },
    ...{ reopenings: 0, lastReopenedAt: null, services: [], alerts: null },
    ...{ silence: null, lookDueAt: openedAt, ...UNTRIED },
  };
}

export function quiet(incident: Incident): Applied {
  return { incident, notices: [] };
}

/** Returns what an incident has in every state. What belongs to its state is left behind. */
function lasting(incident: Omit<Incident, 'state'>) {
  const { source, severity, startedAt, openedAt, reopenings, lastReopenedAt } = incident;
  const { services, alerts } = incident;
  return {
    ...{ source, severity, startedAt, openedAt, reopenings, lastReopenedAt, services, alerts },
  };
}

/**
 * Returns an incident that fails: acknowledged if a person is working on it, who must not find an agent at work;
 * otherwise open, and the agent looks at `lookDueAt`.
 */
export function failing(
  incident: FailingFacts,
  acknowledgement: Acknowledgement | null,
  lookDueAt: Date | null,
): ActiveIncident {
  const { silence, needsHuman, fixChainId, humanDueAt } = incident;
  const facts = { ...lasting(incident), silence, needsHuman, fixChainId, humanDueAt };
  return acknowledgement
    ? { ...facts, state: 'acknowledged', acknowledgement }
    : { ...facts, state: 'open', lookDueAt };
}

/** Changes when the agent looks. While a person is working on the incident, it doesn't. */
export function lookAt(incident: ActiveIncident, lookDueAt: Date | null): ActiveIncident {
  return incident.state === 'open' ? { ...incident, lookDueAt } : incident;
}

/** The same fault is back. What was merged is part of another incident. */
export function reopened(incident: Incident, at: Date): Applied {
  if (incident.state === 'resolved' && incident.resolution === 'merged') return quiet(incident);
  const again = {
    ...{ ...incident, ...UNTRIED, silence: factsOf(incident).silence },
    ...{ reopenings: incident.reopenings + 1, lastReopenedAt: at },
    services: incident.services.map((service) => ({ ...service, relapses: 0 })),
    alerts: incident.alerts && { ...incident.alerts, returns: 0 },
  };
  return { incident: failing(again, null, at), notices: ['reopened'] };
}

/** It was verified, and isn't well. */
export function failsAgain(incident: IncidentIn<'verifying'>): ActiveIncident {
  return failing({ ...incident, ...UNTRIED }, incident.acknowledgement, null);
}

/** Whether everything that is checked is healthy. */
export function isWell(incident: Incident): boolean {
  return presentServices(incident).every(({ status }) => status === 'healthy');
}

/** Verifies an incident if it is well, and no alert fires about what its checks don't cover. */
export function verifyIfWell(incident: Incident, at: Date): Applied {
  if (!isWell(incident) || !isActive(incident) || holdsOpen(incident)) return quiet(incident);
  const { silence, fixChainId, humanDueAt } = incident;
  return {
    incident: {
      ...{ ...lasting(incident), state: 'verifying', verifyingSince: at, silence },
      acknowledgement: acknowledgementOf(incident),
      // Later than the checks need to notice a fix, something else has helped.
      fixChainId: humanDueAt !== null && at <= humanDueAt ? fixChainId : null,
    },
    notices: ['verifying'],
  };
}

/** Ends an incident. */
export function over(incident: Incident, ending: Ending, at: Date): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  const { acknowledgement, verifyingSince } = factsOf(incident);
  const ended = { ...lasting(incident), acknowledgement, verifyingSince, resolvedAt: at };
  return {
    incident: { ...ended, state: 'resolved', ...ending },
    notices: [ending.resolution === 'merged' ? 'merged' : 'resolved'],
  };
}

/** People have to act. Those who work on it already aren't notified. */
export function needHuman(
  incident: Incident,
  chainId: string | null,
  at: Date,
  unproven: Need['unproven'] = null,
): Applied {
  if (!isActive(incident)) return quiet(incident);
  const needsHuman = incident.needsHuman ?? { since: at, chainId, unproven };
  const isNews = incident.needsHuman === null && incident.state === 'open';
  return {
    incident: { ...incident, needsHuman, fixChainId: null, humanDueAt: null },
    notices: isNews ? ['needs_human'] : [],
  };
}
