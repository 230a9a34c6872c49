import { recordAudit } from '@/lib/identity/audit/record-audit';
import { mayDo, requireMay } from '@/lib/identity/tenancy/role-matrix';
import { hasTokenScope } from '@/lib/identity/token-scopes';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import {
  endPreviousToken,
  getPingCheckRow,
  listPingCheckRows,
  replaceToken,
  type ShownPingCheckRow,
} from './ping-data';
import type { PingCheckDto, RevokePingCheckInput } from './ping-schema';
import {
  deadlineOf,
  lastEndOf,
  type PingRule,
  type PingState,
  pingRule,
  pingState,
} from './ping-state';
import { mintPingToken, pingUrl } from './ping-url';

/** For this long, a job that still has the previous URL can ping. */
const ROTATION_OVERLAP_MS = 24 * 3_600_000;

export interface PingCheck {
  /** `hrb_…` */
  id: string;
  checkId: string;
  service: string;
  name: string;
  rule: PingRule;
  /** GET counts as no ping. */
  isPostOnly: boolean;
  state: PingState;
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
  /** Until when the URL before the current one is accepted, too; null if it isn’t. */
  previousUrlUntil: Date | null;
}

/** Returns the heartbeats of a service’s current checks, in their order. */
export async function listPingChecks(
  db: TenantDb,
  scope: TenantScope,
  serviceId: string,
  now: Date,
): Promise<PingCheck[]> {
  const rows = await listPingCheckRows(db, { serviceId });
  return rows.map((row) => toPingCheck(scope, row, now));
}

/**
 * Returns the heartbeats of a project’s current checks, or of one of its services, in their order.
 *
 * @throws NotFoundError for a project that isn’t the organization’s
 */
export function browsePingChecks(
  scope: TenantScope,
  { project, service }: { project: string; service?: string | undefined },
  now = new Date(),
): Promise<PingCheckDto[]> {
  return inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    const rows = await listPingCheckRows(db, { projectId, service });
    return rows.map((row) => toDto(toPingCheck(scope, row, now)));
  });
}

function toPingCheck(scope: TenantScope, row: ShownPingCheckRow, now: Date): PingCheck {
  const rule = pingRule(row.spec);
  const { checkId, service, lastStartAt, lastDurationMs, previousTokenUntil: until } = row;
  return {
    ...{ id: encodeId('hrb', checkId), checkId, service, name: row.spec.target, rule },
    isPostOnly: row.spec.isPostOnly ?? false,
    ...{ lastStartAt, lastDurationMs, lastPingAt: lastEndOf(row), deadline: deadlineOf(row, rule) },
    state: pingState(row, rule, now),
    url: urlFor(scope, row),
    previousUrlUntil: until !== null && until > now ? until : null,
  };
}

function toDto({ rule, url, ...pingCheck }: PingCheck): PingCheckDto {
  const { id, service, name, state, isPostOnly, lastDurationMs } = pingCheck;
  return {
    ...{ id, service, name, state, ...rule, isPostOnly, lastDurationMs },
    lastPingAt: pingCheck.lastPingAt?.toISOString() ?? null,
    lastStartAt: pingCheck.lastStartAt?.toISOString() ?? null,
    nextDueAt: pingCheck.deadline?.toISOString() ?? null,
    url: url.kind === 'shown' ? url.url : null,
    previousUrlUntil: pingCheck.previousUrlUntil?.toISOString() ?? null,
  };
}

/**
 * Whoever has the URL can report success for the job, so only those who may change the project see it: a
 * token that may only read doesn’t.
 */
function urlFor(
  { role, actor }: TenantScope,
  { checkId, tokenSealed }: { checkId: string; tokenSealed: string },
): PingCheck['url'] {
  const mayWrite = actor.kind !== 'api_token' || hasTokenScope(actor.scopes, 'projects:write');
  if (!mayDo(role, 'project.change') || !mayWrite) return { kind: 'hidden' };
  const url = pingUrl(checkId, tokenSealed);
  return url === null ? { kind: 'unreadable' } : { kind: 'shown', url };
}

/** A heartbeat by its id, `hrb_…`, and the project that it has to be of, by id or slug. */
export interface PingCheckReference {
  project: string;
  heartbeatId: string;
}

/**
 * Gives a heartbeat a new URL. The current one is accepted for another 24 hours.
 *
 * @throws NotFoundError for a heartbeat that isn’t part of the project now; ConflictError while the URL
 *   before the current one is accepted: the job may still use it
 */
export function rotatePingCheck(
  scope: TenantScope,
  reference: PingCheckReference,
  now = new Date(),
): Promise<PingCheckDto> {
  return change(scope, reference, now, async (db, { checkId, tokenHash, previousTokenUntil }) => {
    if (previousTokenUntil !== null && previousTokenUntil > now) {
      throw new ConflictError(
        `The URL before this one is accepted until ${previousTokenUntil.toISOString()}, and a job may still use it. Revoke the previous URL first, or wait until then.`,
      );
    }
    const until = new Date(now.getTime() + ROTATION_OVERLAP_MS);
    const token = mintPingToken(checkId);
    const isReplaced = await replaceToken(db, { checkId, tokenHash }, token, { until, now });
    if (!isReplaced) throw changedMeanwhile();
    const detail = { previousTokenUntil: until.toISOString() };
    return { action: 'heartbeat.rotated', detail };
  });
}

/**
 * Ends URLs of a heartbeat at once. `all`: it gets a new one, which the job has to be given before it pings
 * again. `previous`: the one before the current, after a rotation.
 *
 * @throws NotFoundError for a heartbeat that isn’t part of the project now; ConflictError if there is no
 *   previous URL
 */
export function revokePingCheck(
  scope: TenantScope,
  { url, ...reference }: PingCheckReference & RevokePingCheckInput,
  now = new Date(),
): Promise<PingCheckDto> {
  return change(scope, reference, now, async (db, { checkId, tokenHash }) => {
    if (url === 'previous') {
      if (!(await endPreviousToken(db, checkId, now))) {
        throw new ConflictError(
          'There is no previous URL to revoke: only the current one is accepted.',
        );
      }
    } else {
      const token = mintPingToken(checkId);
      if (!(await replaceToken(db, { checkId, tokenHash }, token, null))) throw changedMeanwhile();
    }
    return { action: 'heartbeat.revoked', detail: { url } };
  });
}

async function change(
  scope: TenantScope,
  { project, heartbeatId }: PingCheckReference,
  now: Date,
  apply: (
    db: TenantDb,
    row: ShownPingCheckRow,
  ) => Promise<{ action: 'heartbeat.rotated' | 'heartbeat.revoked'; detail: object }>,
): Promise<PingCheckDto> {
  requireMay(scope, 'project.change');
  const checkId = requireId('hrb', heartbeatId);
  return inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    const row = await getPingCheckRow(db, checkId);
    if (row.projectId !== projectId) throw new NotFoundError();
    const { action, detail } = await apply(db, row);
    const { service, spec } = row;
    await recordAudit(db, scope, {
      ...{ action, target: heartbeatId, projectId },
      detail: { service, name: spec.target, ...detail },
    });
    return toDto(toPingCheck(scope, await getPingCheckRow(db, checkId), now));
  });
}

function changedMeanwhile(): ConflictError {
  return new ConflictError(
    'Someone else changed the URL at the same time. Reload the page, then decide again.',
  );
}
