/** What the fleet tells later modules. Ids are UUIDs. */
import { domainEvent } from '@/lib/platform/domain-events';

/** A runner has been silent for too long; told once for each silence. */
export const runnerWentOffline = domainEvent<{
  runnerId: string;
  name: string;
  pool: string;
  lastSeenAt: Date;
}>('runner.went_offline');
