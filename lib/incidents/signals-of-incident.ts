/** What alerts of other systems report in an incident. Pure. */
import { z } from 'zod';
import { type Incident, presentServices } from './incident';

export const firingSignalsSchema = z.object({
  /** UUIDs of the project's services that firing alerts are about. */
  serviceIds: z.array(z.string()),
  /** Whether an alert fires that names no service of the project. */
  hasOther: z.boolean(),
});
export type FiringSignals = z.infer<typeof firingSignalsSchema>;

/** As it is stored with an incident. */
export const incidentSignalsSchema = z.object({
  /** Of the first alert: text of another system. */
  title: z.string(),
  /** Every service that its alerts were about. */
  services: z.array(z.object({ serviceId: z.string(), name: z.string() })),
  /** Names of the alert sources. */
  sources: z.array(z.string()),
  firing: firingSignalsSchema,
  /** How often one fired during the verification. */
  returns: z.number().int(),
});
export type IncidentSignals = z.infer<typeof incidentSignalsSchema>;

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
export function heldServices(
  incident: Pick<Incident, 'state' | 'acknowledgement' | 'services' | 'alerts'>,
): string[] {
  if (incident.state === 'resolved' || !incident.acknowledgement) return [];
  return serviceIdsOf({ ...incident, services: presentServices(incident) });
}
