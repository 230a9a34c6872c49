/** The steps that events have in common. Pure. */
import { type Incident, presentServices } from './incident';
import { holdsOpen } from './signals-of-incident';
import type { IncidentNotice, IncidentResolution, IncidentSource } from './states';

/** Outcomes of chains after which only a person can continue. */
export const NEED_A_HUMAN = ['needs_human', 'failed', 'lost'];

export interface Applied {
  incident: Incident;
  notices: IncidentNotice[];
}

/** Returns an incident that has just been opened, before what it is about. The agent looks at once. */
export function newIncident(source: IncidentSource, startedAt: Date, openedAt: Date): Incident {
  return {
    ...{ state: 'open', source, severity: 'warning', startedAt, openedAt },
    ...{ acknowledgement: null, silence: null, verifyingSince: null },
    ...{ resolvedAt: null, resolution: null, resolvedBy: null, mergedIntoId: null },
    ...{ reopenings: 0, lastReopenedAt: null },
    ...{
      needsHuman: null,
      unproven: null,
      fixChainId: null,
      lookDueAt: openedAt,
      humanDueAt: null,
    },
    ...{ services: [], alerts: null },
  };
}

export function quiet(incident: Incident): Applied {
  return { incident, notices: [] };
}

/** Whether something fails, as far as is known. */
export function isActive({ state }: Pick<Incident, 'state'>): boolean {
  return state === 'open' || state === 'acknowledged';
}

/** The state of an incident that isn't over. */
export function standing({ acknowledgement }: Incident): 'acknowledged' | 'open' {
  return acknowledgement ? 'acknowledged' : 'open';
}

/** The same fault is back. */
export function reopened(incident: Incident, at: Date): Applied {
  return {
    incident: {
      ...incident,
      state: 'open',
      acknowledgement: null,
      verifyingSince: null,
      resolvedAt: null,
      resolution: null,
      resolvedBy: null,
      needsHuman: null,
      unproven: null,
      fixChainId: null,
      reopenings: incident.reopenings + 1,
      lastReopenedAt: at,
      lookDueAt: at,
      humanDueAt: null,
      services: incident.services.map((service) => ({ ...service, relapses: 0 })),
      alerts: incident.alerts && { ...incident.alerts, returns: 0 },
    },
    notices: ['reopened'],
  };
}

/** It was verified, and isn't well. */
export function failsAgain(incident: Incident): Incident {
  return { ...incident, state: standing(incident), verifyingSince: null, fixChainId: null };
}

/** Whether everything that is checked is healthy. */
export function isWell(incident: Incident): boolean {
  return presentServices(incident).every(({ status }) => status === 'healthy');
}

/** Verifies an incident if it is well, and no alert fires about what its checks don't cover. */
export function verifyIfWell(incident: Incident, at: Date): Applied {
  if (!isWell(incident) || !isActive(incident) || holdsOpen(incident)) return quiet(incident);
  const { fixChainId, humanDueAt } = incident;
  return {
    incident: {
      ...incident,
      state: 'verifying',
      verifyingSince: at,
      needsHuman: null,
      unproven: null,
      // Later than the checks need to notice a fix, something else has helped.
      fixChainId: humanDueAt !== null && at <= humanDueAt ? fixChainId : null,
      lookDueAt: null,
      humanDueAt: null,
    },
    notices: ['verifying'],
  };
}

/** Ends an incident. `by` null: no person did. */
export function over(
  incident: Incident,
  resolution: Exclude<IncidentResolution, 'merged'>,
  by: string | null,
  at: Date,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  return {
    incident: {
      ...incident,
      ...{ state: 'resolved', resolution, resolvedBy: by, resolvedAt: at },
      silence: null,
      fixChainId: resolution === 'fixed' ? incident.fixChainId : null,
      ...{ needsHuman: null, unproven: null, lookDueAt: null, humanDueAt: null },
    },
    notices: ['resolved'],
  };
}

/** People have to act. Those who work on it already aren't notified. */
export function needHuman(incident: Incident, chainId: string | null, at: Date): Applied {
  const settled = { ...incident, humanDueAt: null };
  if (!isActive(incident)) return quiet(settled);
  const failed = { ...settled, fixChainId: null };
  if (incident.needsHuman) return quiet(failed);
  return {
    incident: { ...failed, needsHuman: { since: at, chainId } },
    // A person is already working on it.
    notices: incident.acknowledgement ? [] : ['needs_human'],
  };
}
