/** What an event changes of an incident. Pure. */
import { alertEnded, alertFiring, heldByAlerts } from './apply-alert';
import type { AffectedService, Incident, IncidentEvent, IncidentNotice } from './incident';
import type { IncidentSource } from './states';

export interface Applied {
  incident: Incident;
  notices: IncidentNotice[];
}

/** How long checks may need to notice that a fix worked, in milliseconds. */
interface Rules {
  recheckMs: number;
}

/** Outcomes of chains after which only a person can continue. */
export const NEED_A_HUMAN = ['needs_human', 'failed', 'lost'];

/** Returns the incident that a failing service opens. */
export function openIncident(
  source: IncidentSource,
  event: Extract<IncidentEvent, { kind: 'service_failing' }>,
  at: Date,
): Applied {
  const startedAt = earliest(new Date(event.failingSince), at);
  const incident: Incident = {
    state: 'open',
    source,
    severity: 'warning',
    startedAt,
    openedAt: at,
    acknowledgement: null,
    verifyingSince: null,
    resolvedAt: null,
    resolution: null,
    resolvedBy: null,
    reopenings: 0,
    lastReopenedAt: null,
    needsHuman: null,
    fixChainId: null,
    lookDueAt: at,
    humanDueAt: null,
    services: [],
    alerts: null,
  };
  return { incident: withService(incident, event, at), notices: ['opened'] };
}

export function applyEvent(
  incident: Incident,
  event: IncidentEvent,
  at: Date,
  rules: Rules,
): Applied {
  return heldByAlerts(incident, applyRules(incident, event, at, rules));
}

function applyRules(incident: Incident, event: IncidentEvent, at: Date, rules: Rules): Applied {
  switch (event.kind) {
    case 'service_failing':
      return failing(incident, event, at);
    case 'service_recovered':
      return recovered(incident, event.serviceId, at);
    case 'service_unknown':
      return unknown(incident, event.serviceId);
    case 'alert_firing':
      return alertFiring(incident, event, at);
    case 'alert_ended':
      return alertEnded(incident, event, at);
    case 'alerts_quiet':
      return resolved(incident, 'reported', null, at);
    case 'chain_started':
      return quiet({ ...incident, lookDueAt: null, humanDueAt: null });
    case 'chain_ended':
      return chainEnded(incident, event, at, rules);
    case 'look_refused':
      return needHuman({ ...incident, lookDueAt: null }, null, at);
    case 'needs_human':
      return needHuman({ ...incident, humanDueAt: null }, null, at);
    case 'acknowledged':
      return acknowledged(incident, event, at);
    case 'acknowledgement_ended':
      return acknowledgementEnded(incident, event.by, at);
    case 'verified':
      return resolved(incident, incident.fixChainId ? 'fixed' : 'recovered', null, at);
    case 'resolved':
      return resolved(incident, 'manual', event.by, at);
  }
}

function quiet(incident: Incident): Applied {
  return { incident, notices: [] };
}

/** Whether something fails, as far as is known. */
export function isActive({ state }: Pick<Incident, 'state'>): boolean {
  return state === 'open' || state === 'acknowledged';
}

/** The state of an incident that isn't over. */
function standing({ acknowledgement }: Incident): 'acknowledged' | 'open' {
  return acknowledgement ? 'acknowledged' : 'open';
}

type Failing = Extract<IncidentEvent, { kind: 'service_failing' }>;

function failing(incident: Incident, event: Failing, at: Date): Applied {
  const known = incident.services.find(({ serviceId }) => serviceId === event.serviceId);
  const isNews = known?.status !== 'degraded' && known?.status !== 'down';
  const isWorse = known?.worst === 'degraded' && event.status === 'down';
  const with_ = withService(incident, event, at);
  const looks = isNews || isWorse ? { lookDueAt: at, humanDueAt: null } : {};
  if (incident.state === 'resolved') {
    const reopened: Incident = {
      ...with_,
      state: 'open',
      acknowledgement: null,
      verifyingSince: null,
      resolvedAt: null,
      resolution: null,
      resolvedBy: null,
      needsHuman: null,
      fixChainId: null,
      reopenings: incident.reopenings + 1,
      lastReopenedAt: at,
      lookDueAt: at,
      humanDueAt: null,
    };
    return { incident: reopened, notices: ['reopened'] };
  }
  return quiet({ ...with_, ...looks, state: standing(incident), verifyingSince: null });
}

function withService(incident: Incident, event: Failing, at: Date): Incident {
  const before = incident.services.find(({ serviceId }) => serviceId === event.serviceId);
  const stillFails = before && before.recoveredAt === null;
  const since = earliest(new Date(event.failingSince), at);
  const service: AffectedService = {
    serviceId: event.serviceId,
    name: event.name,
    status: event.status,
    worst: before?.worst === 'down' ? 'down' : event.status,
    failingSince: stillFails ? earliest(before.failingSince, since) : since,
    recoveredAt: null,
    error: event.error,
  };
  return {
    ...incident,
    severity: service.worst === 'down' ? 'critical' : incident.severity,
    services: before
      ? incident.services.map((each) => (each === before ? service : each))
      : [...incident.services, service],
  };
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function recovered(incident: Incident, serviceId: string, at: Date): Applied {
  const after = changed(incident, serviceId, { status: 'healthy', recoveredAt: at });
  const isWell = after.services.every(({ status }) => status === 'healthy');
  if (!isWell || !isActive(after)) return quiet(after);
  return {
    incident: {
      ...after,
      state: 'verifying',
      verifyingSince: at,
      needsHuman: null,
      lookDueAt: null,
      humanDueAt: null,
    },
    notices: ['verifying'],
  };
}

/** What can't be checked isn't well. */
function unknown(incident: Incident, serviceId: string): Applied {
  const after = changed(incident, serviceId, { status: 'unknown', recoveredAt: null });
  if (after.state !== 'verifying') return quiet(after);
  return quiet({ ...after, state: standing(after), verifyingSince: null });
}

function changed(
  incident: Incident,
  serviceId: string,
  change: Pick<AffectedService, 'status' | 'recoveredAt'>,
): Incident {
  return {
    ...incident,
    services: incident.services.map((each) =>
      each.serviceId === serviceId ? { ...each, ...change } : each,
    ),
  };
}

function chainEnded(
  incident: Incident,
  { chainId, outcome }: Extract<IncidentEvent, { kind: 'chain_ended' }>,
  at: Date,
  { recheckMs }: Rules,
): Applied {
  const fixChainId = outcome === 'fixed' ? chainId : incident.fixChainId;
  const after = { ...incident, fixChainId };
  if (!isActive(after)) return quiet(after);
  if (NEED_A_HUMAN.includes(outcome)) return needHuman(after, chainId, at);
  return quiet({ ...after, humanDueAt: new Date(at.getTime() + recheckMs) });
}

function needHuman(incident: Incident, chainId: string | null, at: Date): Applied {
  const settled = { ...incident, humanDueAt: null };
  if (!isActive(incident) || incident.needsHuman) return quiet(settled);
  return {
    incident: { ...settled, needsHuman: { since: at, chainId } },
    // A person is already working on it.
    notices: incident.acknowledgement ? [] : ['needs_human'],
  };
}

function acknowledged(
  incident: Incident,
  { by, endsAt }: Extract<IncidentEvent, { kind: 'acknowledged' }>,
  at: Date,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  const acknowledgement = { at, by, endsAt: endsAt === null ? null : new Date(endsAt) };
  const state = incident.state === 'open' ? 'acknowledged' : incident.state;
  return { incident: { ...incident, acknowledgement, state }, notices: ['acknowledged'] };
}

function acknowledgementEnded(incident: Incident, by: string | null, at: Date): Applied {
  const state = incident.state === 'acknowledged' ? 'open' : incident.state;
  const after: Incident = { ...incident, acknowledgement: null, state };
  if (state !== 'open') return quiet(after);
  // Whoever takes it back knows; if its time is over, nobody may.
  const needsHuman = after.needsHuman ?? { since: at, chainId: null };
  return { incident: { ...after, needsHuman }, notices: by === null ? ['needs_human'] : [] };
}

function resolved(
  incident: Incident,
  resolution: 'fixed' | 'recovered' | 'manual' | 'reported',
  by: string | null,
  at: Date,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  return {
    incident: {
      ...incident,
      state: 'resolved',
      resolution,
      resolvedBy: by,
      resolvedAt: at,
      needsHuman: null,
      lookDueAt: null,
      humanDueAt: null,
    },
    notices: ['resolved'],
  };
}
