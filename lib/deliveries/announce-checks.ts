/** Writes the messages about checks that no runner can run, in the transaction in which that is noticed. */

import { recordNotices } from '@/lib/engine/events/notices';
import type { BlockReason } from '@/lib/monitoring/block';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { formatMoment } from '@/lib/platform/format/time';
import { announce } from './announce';
import { loadSubject } from './data';
import type { WebhookEvent } from './schema';

const CAUSES: Record<BlockReason, string> = {
  no_runner:
    'no runner of its pool can run checks. Start one, or choose another pool in its settings.',
  runner_offline:
    'the runner that runs its checks is offline. Check that its host is up and can reach this address.',
};

/** Announces that nothing is checked in a project. `projectId` is a UUID. */
export function announceBlockedChecks(
  db: TenantDb,
  { projectId, since, reason }: { projectId: string; since: Date; reason: BlockReason },
  now: Date,
): Promise<string[]> {
  const said = `Nothing has been checked since ${moment(since, now)}: ${CAUSES[reason]}`;
  return tell(db, { type: 'checks.blocked', projectId, since, reason, said }, now);
}

/** Announces that a runner can run the checks of a project again. */
export function announceResumedChecks(
  db: TenantDb,
  { projectId, since }: { projectId: string; since: Date },
  now: Date,
): Promise<string[]> {
  const said = `A runner can run the checks again. Nothing was checked from ${moment(since, now)} to ${moment(now, now)}.`;
  return tell(db, { type: 'checks.resumed', projectId, since, reason: null, said }, now);
}

async function tell(
  db: TenantDb,
  news: {
    type: 'checks.blocked' | 'checks.resumed';
    projectId: string;
    since: Date;
    reason: BlockReason | null;
    said: string;
  },
  now: Date,
): Promise<string[]> {
  const { type, projectId, since, reason, said } = news;
  const { organization, project } = await loadSubject(db, projectId, null);
  const checks = { since: since.toISOString(), reason };
  const link = `${env().publicUrl}/${organization.slug}/projects/${project.slug}`;
  const event: WebhookEvent = {
    type,
    timestamp: now.toISOString(),
    data: { organization, project, summary: said, link, checks },
  };
  const isBlocked = type === 'checks.blocked';
  const notice = {
    ...{ projectId, chainId: null, sessionId: null, message: said },
    level: isBlocked ? ('warning' as const) : ('info' as const),
    code: isBlocked ? 'CHECKS_BLOCKED' : 'CHECKS_RESUMED',
  };
  recordNotices(db, [notice], now);
  const occasion = `${type}:${projectId}:${since.getTime()}`;
  return announce(db, [{ event, projectId, chainId: null, occasion }], now);
}

function moment(at: Date, now: Date): string {
  return `${formatMoment(at, now, 'UTC')} UTC`;
}
