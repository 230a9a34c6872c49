/** The steps that checks and alerts have in common. Pure. */
import { type Incident, type IncidentNotice, presentServices } from './incident';
import type { IncidentSource } from './states';

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

/** Everything that is checked has to be healthy. */
export function verifyIfWell(incident: Incident, at: Date): Applied {
  const isWell = presentServices(incident).every(({ status }) => status === 'healthy');
  if (!isWell || !isActive(incident)) return quiet(incident);
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
