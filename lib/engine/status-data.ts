/**
 * The only writer of the statuses of chains, sessions and attempts that exist. `statuses.ts` has the sets, and
 * which status may follow which; the database refuses every other change.
 */

import { type RawBuilder, sql } from 'kysely';
import { joinSentences } from '@/lib/agents/attempt-end';
import { beforeCommit } from '@/lib/platform/db/raw';
import { updateRow } from '@/lib/platform/db/rows';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { notifyRunner } from '@/lib/platform/live/hint';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';
import { type AttemptRow, keyOf } from './attempt/data';
import type { EndPlan } from './ending/end-plan';
import type { ChainOutcome, SessionStatus, WaitReason } from './statuses';

/** A session, and its chain; null for a turn of a conversation. */
interface Work {
  sessionId: string;
  chainId: string | null;
}

interface Wait {
  /** One sentence for people. */
  statusText: string;
  waitReason: WaitReason | null;
}

/** Stores what a session, and with it its chain, waits for. */
export async function markWaiting(
  db: TenantDb,
  { sessionId, chainId }: Work,
  wait: Wait,
): Promise<void> {
  const waiting = { status: 'waiting', ...wait };
  await db.session.updateMany({ where: { id: sessionId }, data: waiting });
  if (chainId) await db.chain.updateMany({ where: { id: chainId }, data: waiting });
}

/** Returns the statement that stores what a chain waits for before its next attempt. */
export function chainWaitingSql(
  organizationId: OrganizationId,
  chainId: string,
  { statusText, waitReason }: Wait,
): RawBuilder<unknown> {
  return sql`update chain set status = 'waiting', status_text = ${statusText}, wait_reason = ${waitReason}
    where organization_id = ${organizationId}::uuid and id = ${chainId}::uuid`;
}

interface Claim extends Work {
  attemptId: string;
  runnerId: string;
  /** The process of the runner that claims; null if it didn't report one. */
  processId: string | null;
  fence: number;
  leaseExpiresAt: Date;
  start: StartSpec;
  isTainted: boolean;
  mechanism: 'fresh' | 'resume' | 'handoff' | 'transcript';
  isFallback: boolean;
  tier: number;
}

/**
 * Marks an attempt as claimed by its runner, and its session and chain as running. `now` is the
 * start time of those that had not started yet.
 */
export function markClaimed(db: TenantDb, claimed: Claim, now: Date): void {
  const { tier } = claimed;
  const write = sqlChanges(db)`with attempt as (
        update attempt set status = 'claimed', runner_id = ${claimed.runnerId}::uuid, fence = ${claimed.fence},
          lease_expires_at = ${claimed.leaseExpiresAt}::timestamptz, claimed_at = ${now}::timestamptz,
          claimed_by_process = ${claimed.processId}::uuid,
          start = ${JSON.stringify(claimed.start)}::jsonb, is_tainted = ${claimed.isTainted}
        where organization_id = ${db.organizationId}::uuid and id = ${claimed.attemptId}::uuid
      ), session as (
        update session set status = 'running', status_text = '', wait_reason = null, started_at = coalesce(started_at, ${now}::timestamptz),
          mechanism = ${claimed.mechanism}, is_fallback = ${claimed.isFallback}
        where organization_id = ${db.organizationId}::uuid and id = ${claimed.sessionId}::uuid
      )
      update chain set status = 'running', status_text = ${`Tier ${tier} is running.`}, wait_reason = null,
        started_at = coalesce(started_at, ${now}::timestamptz), highest_tier = greatest(highest_tier, ${tier})
      where organization_id = ${db.organizationId}::uuid and id = ${claimed.chainId}::uuid and status <> 'ended'`;
  beforeCommit(db, write);
}

/** Returns what an attempt is once its process has started. */
export function processStarted(now: Date) {
  return { status: 'running', startedAt: now } as const;
}

/** Asks the runner to end the process of an attempt. */
export async function markStopping(
  db: TenantDb,
  { id, sessionId, runnerId }: Pick<AttemptRow, 'id' | 'sessionId' | 'runnerId'>,
  { cause, statusText }: { cause: 'operator' | 'cooldown'; statusText?: string },
  now: Date,
) {
  const stopping = { status: 'stopping', stopRequestedAt: now, stopCause: cause };
  await db.attempt.updateMany({ where: { id, status: { not: 'ended' } }, data: stopping });
  await db.session.updateMany({
    where: { id: sessionId },
    data: { status: 'stopping', ...(statusText === undefined ? {} : { statusText }) },
  });
  if (runnerId) await notifyRunner(db, runnerId);
  return stopping;
}

/** Marks a chain that a person stops; its process, if there is one, ends first. */
export async function markChainStopping(
  db: TenantDb,
  chainId: string,
  by: string,
  now: Date,
): Promise<void> {
  await db.chain.updateMany({
    where: { id: chainId, status: { not: 'ended' } },
    data: {
      status: 'stopping',
      statusText: `Stopping: requested by ${by}.`,
      stopRequestedAt: now,
      stopRequestedBy: by,
    },
  });
}

type EndStatus = Exclude<SessionStatus, 'queued' | 'waiting' | 'running' | 'stopping'>;

/** Ends an attempt whose process never ran, as settled. */
export async function endUnrun(
  db: TenantDb,
  attemptId: string,
  { end, text }: { end: 'start_failed' | 'stopped'; text: string },
  now: Date,
): Promise<void> {
  const ended = { status: 'ended', end, endText: text, endedAt: now, settledAt: now };
  await db.attempt.updateMany({ where: { id: attemptId, status: { not: 'ended' } }, data: ended });
}

/**
 * Writes how the attempt ended, and marks it as settled. A late result (no step) leaves the end
 * unchanged.
 */
export function endAttempt(
  db: TenantDb,
  attempt: AttemptRow,
  result: AttemptResult,
  plan: EndPlan & { step: unknown },
  now: Date,
): void {
  const isLost = plan.classified.end === 'lost' && attempt.result === null;
  const ended = {
    status: 'ended',
    ...(plan.step
      ? {
          end: plan.classified.end,
          endText: joinSentences(plan.classified.happened, plan.classified.advice),
          endedAt: new Date(result.endedAt),
        }
      : {}),
    // Whatever a lost runner sends later carries an old fencing number.
    ...(isLost ? { fence: attempt.fence + 1 } : {}),
    settledAt: now,
    contextTokens: plan.contextTokens,
    contextWindow: plan.contextWindow,
    turns: plan.result?.numTurns ?? null,
    exitCode: result.exit?.code ?? null,
    exitSignal: result.exit?.signal ?? null,
    reportedUsage: plan.result?.modelUsage ?? null,
    reportedCostUsd: plan.result?.totalCostUsd ?? null,
  };
  beforeCommit(db, updateRow(db, 'attempt', keyOf(attempt), ended));
}

/** Ends an attempt that can't be settled. */
export async function endFailed(
  db: TenantDb,
  attempt: AttemptRow,
  { end, text }: { end: string; text: string },
  now: Date,
): Promise<void> {
  const ended = { status: 'ended', end, endText: text, endedAt: now };
  // Without a result its runner was lost, and whatever that runner sends later carries an old number.
  const fence = attempt.result === null ? { fence: attempt.fence + 1 } : {};
  await db.attempt.updateMany({ where: { id: attempt.id }, data: { ...ended, ...fence } });
}

/** Ends a session that has not ended. */
export async function endSession(
  db: TenantDb,
  sessionId: string,
  { status, statusText }: { status: EndStatus; statusText: string },
  now: Date,
): Promise<void> {
  await db.session.updateMany({
    where: { id: sessionId, endedAt: null },
    data: { status, statusText, endedAt: now },
  });
}

/** How a settlement leaves a session. */
interface SettledSession {
  status: string;
  statusText: string;
  isEnded: boolean;
  /** Null once it has ended. */
  waitReason: WaitReason | null;
  /** Turns of the attempt, which are added. */
  turns: number;
  /** Null leaves the report as it is. */
  report: object | null;
}

export function writeSettledSession(
  db: TenantDb,
  sessionId: string,
  { status, statusText, isEnded, waitReason, turns, report }: SettledSession,
  now: Date,
): void {
  const write = sqlChanges(db)`update session set status = ${status}, status_text = ${statusText},
        wait_reason = ${waitReason}, turns = turns + ${turns},
        report = coalesce(${report}::jsonb, report), ended_at = coalesce(${isEnded ? now : null}::timestamptz, ended_at)
      where organization_id = ${db.organizationId}::uuid and id = ${sessionId}::uuid`;
  beforeCommit(db, write);
}

export interface ChainEnd {
  outcome: Exclude<ChainOutcome, 'skipped'>;
  /** Reason code. */
  reason: string;
  /** One sentence for people. */
  statusText: string;
  /** The summary of the last report. */
  summary: string;
  servicesAffected: readonly string[];
}

/**
 * Ends the row of a chain; without what a report says, the row keeps what it has. Returns false if it had ended
 * before.
 */
export async function markChainEnded(
  db: TenantDb,
  chainId: string,
  {
    outcome,
    reason,
    statusText,
    ...reported
  }: Omit<ChainEnd, 'summary' | 'servicesAffected'> & Partial<ChainEnd>,
  now: Date,
): Promise<boolean> {
  const { count } = await db.chain.updateMany({
    where: { id: chainId, status: { not: 'ended' } },
    data: {
      status: 'ended',
      ...{ outcome, outcomeReason: reason, statusText, endedAt: now },
      ...(reported.summary === undefined ? {} : { summary: reported.summary }),
      ...(reported.servicesAffected ? { servicesAffected: [...reported.servicesAffected] } : {}),
    },
  });
  return count > 0;
}
