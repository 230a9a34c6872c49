/** A service is healthy again, can't be checked, or leaves the incident. Pure. */
import { z } from 'zod';
import { type AffectedService, type Incident, presentServices, serviceOf } from '../incident';
import { holdsOpen, reportMore } from '../signals-of-incident';
import {
  type Applied,
  failsAgain,
  isWell,
  lookAt,
  over,
  quiet,
  verifyIfWell,
} from '../transitions';
import { eventKind } from './event-kind';

const ofService = z.object({ serviceId: z.string() });

export const serviceRecovered = eventKind({
  /** `isReported`: the agent of that chain says so, and no check does. */
  schema: ofService.extend({
    chainId: z.string().optional(),
    isReported: z.boolean().optional(),
  }),
  apply: (incident, { serviceId }, at) =>
    verifyIfWell(
      changed(incident, serviceId, { status: 'healthy', recoveredAt: at, wasFailing: false }),
      at,
    ),
  text({ serviceId, chainId, isReported }, { service, chain }) {
    if (!chainId) return `${service(serviceId)} is healthy again.`;
    const finder = isReported
      ? `The agent of ${chain(chainId)} reported`
      : `${chain(chainId)} found`;
    return `${finder} ${service(serviceId)} healthy.`;
  },
});

/** What can't be checked isn't well. */
export const serviceUnknown = eventKind({
  schema: ofService,
  apply(incident, { serviceId }) {
    const after = changed(incident, serviceId, { status: 'unknown', recoveredAt: null });
    return quiet(after.state === 'verifying' && after !== incident ? failsAgain(after) : after);
  },
  text: ({ serviceId }, { service }) => `${service(serviceId)} can’t be checked.`,
});

/** Nothing checks it from now on: it, its checks or the project's monitoring was removed. */
export const serviceRemoved = eventKind({
  schema: ofService,
  apply: (incident, { serviceId }, at) => removed(incident, serviceId, at),
  text: ({ serviceId }, { service }) =>
    `Nothing checks ${service(serviceId)} anymore, so it leaves the incident.`,
});

/**
 * It no longer has to be healthy; without anything left that it is about, the incident is over. An alert about
 * it that fires decides from now on.
 */
function removed(incident: Incident, serviceId: string, at: Date): Applied {
  const service = serviceOf(incident, serviceId);
  if (!service || service.removedAt) return quiet(incident);
  const status = service.status === 'healthy' ? 'healthy' : 'unknown';
  const after = changed(incident, serviceId, { status, removedAt: at });
  if (after.state === 'resolved') return quiet(after);
  if (presentServices(after).length === 0 && !reportMore(after)) {
    return over(after, { resolution: 'removed' }, at);
  }
  if (after.state === 'verifying') {
    return quiet(holdsOpen(after) ? lookAt(failsAgain(after), at) : after);
  }
  // The rest has been healthy for longer: no fix is why.
  return verifyIfWell(isWell(after) ? { ...after, fixChainId: null } : after, at);
}

/** Applies a change to a service; a service that has left the incident isn't changed. */
function changed(
  incident: Incident,
  serviceId: string,
  change: Partial<AffectedService>,
): Incident {
  const service = serviceOf(incident, serviceId);
  if (!service || service.removedAt) return incident;
  return {
    ...incident,
    services: incident.services.map((each) => (each === service ? { ...each, ...change } : each)),
  };
}
