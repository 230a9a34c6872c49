/** Domain events of monitoring. Ids are UUIDs. */
import { domainEvent } from '@/lib/platform/domain-events';
import type { BlockReason } from './block';
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

/** No runner has been able to run a project's checks for so long that a result is missing; once each time. */
export const checksBlocked = domainEvent<{ projectId: string; since: Date; reason: BlockReason }>(
  'checks.blocked',
);

/** A runner can run them again. `since` is the start of what is over. */
export const checksResumed = domainEvent<{ projectId: string; since: Date }>('checks.resumed');
