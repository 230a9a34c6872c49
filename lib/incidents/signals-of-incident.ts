/** What alerts of other systems report in an incident. Pure. */
import { acknowledgementOf, type Incident, presentServices } from './incident';

type Reported = Pick<Incident, 'services' | 'alerts'>;

/** Whether any alert of the incident fires. */
export function anySignalFires({ alerts }: Pick<Incident, 'alerts'>): boolean {
  return alerts !== null && (alerts.firing.hasOther || alerts.firing.serviceIds.length > 0);
}

/**
 * Whether a firing alert keeps an incident from being well: one about a service whose checks failed
 * in this incident doesn't, since from then on those checks decide.
 */
export function holdsOpen({ services, alerts }: Reported): boolean {
  if (!alerts) return false;
  const checked = new Set(presentServices({ services }).map(({ serviceId }) => serviceId));
  return alerts.firing.hasOther || alerts.firing.serviceIds.some((id) => !checked.has(id));
}

/**
 * Whether alerts report what no check of the incident ever did, or one of them fires: then the incident isn't
 * over when the last of its checked services leaves it.
 */
export function reportMore({ services, alerts }: Reported): boolean {
  if (!alerts) return false;
  const checked = new Set(services.map(({ serviceId }) => serviceId));
  const isElsewhere =
    alerts.services.length === 0 ||
    alerts.services.some(({ serviceId }) => !checked.has(serviceId));
  return anySignalFires({ alerts }) || isElsewhere;
}

/** Whether an incident waits for the end of an alert, and not for its checks alone. */
export function waitsForSignals({ services, alerts }: Reported): boolean {
  const isWell = presentServices({ services }).every(({ status }) => status === 'healthy');
  return anySignalFires({ alerts }) && (isWell || holdsOpen({ services, alerts }));
}

/** UUIDs of the services that an incident is about, by checks or by alerts. */
export function serviceIdsOf({ services, alerts }: Reported): string[] {
  const ids = [...services, ...(alerts?.services ?? [])].map(({ serviceId }) => serviceId);
  return [...new Set(ids)];
}

/** Names of the services that an incident is about; those that failed come first. */
export function serviceNamesOf({ services, alerts }: Reported): string[] {
  return [...new Set([...services, ...(alerts?.services ?? [])].map(({ name }) => name))];
}

/** Returns the UUIDs of the services that a person works on, so that no agent does. */
export function heldServices(incident: Incident): string[] {
  if (incident.state === 'resolved' || !acknowledgementOf(incident)) return [];
  return serviceIdsOf({ ...incident, services: presentServices(incident) });
}
