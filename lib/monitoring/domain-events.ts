/** Domain events of monitoring. Ids are UUIDs. */
import { domainEvent } from '@/lib/platform/domain-events';
import type { ResultStatus } from './check-state';

export interface ServiceChange {
  serviceId: string;
  name: string;
  before: ResultStatus;
  status: ResultStatus;
  /** The first failed check of the outage; null unless the service fails. */
  failingSince: Date | null;
  /** Of the check that decides; empty if healthy. */
  error: string;
}

/** Checks that run without an agent have changed the state of services. */
export const servicesChanged = domainEvent<{
  projectId: string;
  changes: readonly ServiceChange[];
}>('services.changed');

/** Nothing checks these services from now on: they, their checks or the monitoring were removed. */
export const servicesRemoved = domainEvent<{
  projectId: string;
  serviceIds: readonly string[];
}>('services.removed');
