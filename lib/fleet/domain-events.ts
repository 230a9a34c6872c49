/** Domain events of the fleet. Ids are UUIDs. */
import { domainEvent } from '@/lib/platform/domain-events';

/**
 * A runner has been offline for longer than OFFLINE_AFTER_SECONDS; published once per offline
 * period.
 */
export const runnerWentOffline = domainEvent<{
  runnerId: string;
  name: string;
  pool: string;
  lastSeenAt: Date;
}>('runner.went_offline');

/** A runner was revoked. Its stop directives reach it until `stopsUntil`. */
export const runnerRevoked = domainEvent<{ runnerId: string; stopsUntil: Date }>('runner.revoked');

/** A second process used the key of a runner, and was refused; at most once an hour. */
export const runnerKeyShared = domainEvent<{ runnerId: string; name: string; at: Date }>(
  'runner.key_shared',
);
