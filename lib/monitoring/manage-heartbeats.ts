import { recordAudit } from '@/lib/identity/audit/record-audit';
import { mayDo, requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import { getHeartbeatToken, listHeartbeatRows, replaceToken } from './heartbeat-data';
import {
  deadlineOf,
  type HeartbeatRule,
  type HeartbeatState,
  heartbeatRule,
  heartbeatState,
  lastEndOf,
} from './heartbeat-state';
import { heartbeatUrl, mintHeartbeatToken } from './heartbeat-url';

/** For this long, a job that still has the previous URL can ping. */
const ROTATION_OVERLAP_MS = 24 * 3_600_000;

export interface Heartbeat {
  /** `hrb_…` */
  id: string;
  checkId: string;
  name: string;
  rule: HeartbeatRule;
  state: HeartbeatState;
  /** When the job last reported its end, and how; null before its first. */
  lastPingAt: Date | null;
  lastStartAt: Date | null;
  /** From its last start to its end, in milliseconds; null if it reports no start. */
  lastDurationMs: number | null;
  /** By when it has to ping; null before the first ping. */
  deadline: Date | null;
  /**
   * What the job pings. `hidden`: the actor’s role may not see it. `unreadable`: it was encrypted with
   * another key, so it has to be rotated.
   */
  url: { kind: 'shown'; url: string } | { kind: 'hidden' } | { kind: 'unreadable' };
}

/** Returns the heartbeats of a service’s current checks, in their order. */
export async function listHeartbeats(
  db: TenantDb,
  scope: TenantScope,
  serviceId: string,
  now: Date,
): Promise<Heartbeat[]> {
  const rows = await listHeartbeatRows(db, serviceId);
  return rows.map((row) => {
    const rule = heartbeatRule(row.spec);
    const { lastStartAt, lastDurationMs } = row;
    return {
      ...{
        id: encodeId('hrb', row.checkId),
        checkId: row.checkId,
        name: row.spec.target,
        rule,
        lastStartAt,
      },
      ...{ lastDurationMs, lastPingAt: lastEndOf(row), deadline: deadlineOf(row, rule) },
      state: heartbeatState(row, rule, now),
      url: urlFor(scope, row),
    };
  });
}

/** Whoever has the URL can report success for the job, so only those who may change the project see it. */
function urlFor(
  scope: TenantScope,
  { checkId, tokenSealed }: { checkId: string; tokenSealed: string },
): Heartbeat['url'] {
  if (!mayDo(scope.role, 'project.change')) return { kind: 'hidden' };
  const url = heartbeatUrl(checkId, tokenSealed);
  return url === null ? { kind: 'unreadable' } : { kind: 'shown', url };
}

/**
 * Gives a heartbeat a new URL. The previous one is accepted for another 24 hours.
 *
 * @throws NotFoundError for a heartbeat that isn’t the organization’s, or isn’t part of its project now
 */
export async function rotateHeartbeat(
  scope: TenantScope,
  heartbeatId: string,
  now = new Date(),
): Promise<{ previousTokenUntil: string }> {
  requireMay(scope, 'project.change');
  const checkId = requireId('hrb', heartbeatId);
  const previousTokenUntil = new Date(now.getTime() + ROTATION_OVERLAP_MS);
  await inTransaction(scope, async (db) => {
    const { tokenHash, projectId, service, name } = await getHeartbeatToken(db, checkId);
    const token = mintHeartbeatToken(checkId);
    await replaceToken(db, { checkId, tokenHash }, { ...token, previousTokenUntil });
    await recordAudit(db, scope, {
      action: 'heartbeat.rotated',
      target: heartbeatId,
      projectId,
      detail: { service, name, previousTokenUntil: previousTokenUntil.toISOString() },
    });
  });
  return { previousTokenUntil: previousTokenUntil.toISOString() };
}
