/** Counts what a transaction of the engine has written, once it is committed. */

import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { BookedLine } from '@/lib/agents/booking';
import { afterCommit } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { OfProject } from '@/lib/platform/metrics/project-label';
import {
  attemptOutcome,
  commandLabels,
  type EndedCommand,
  modelFamily,
  workTier,
} from './metric-labels';
import {
  approvalWait,
  attemptsEnded,
  chainDuration,
  chainsEnded,
  commandsEnded,
  modelCost,
  modelTokens,
} from './metrics';
import type { ApprovalStatus, ChainOutcome } from './statuses';

export function countChain(
  db: TenantDb,
  chain: OfProject & { createdAt: Date },
  outcome: Exclude<ChainOutcome, 'skipped'>,
  now: Date,
): void {
  afterCommit(db, () => {
    chainDuration.observe({ outcome }, secondsBetween(chain.createdAt, now));
    return chainsEnded.add(chain, { outcome });
  });
}

/** @param tier as the ledger books it */
export function countAttempt(db: TenantDb, tier: number, end: AttemptEnd): void {
  afterCommit(db, () => attemptsEnded.add({ tier: workTier(tier), outcome: attemptOutcome(end) }));
}

/** @param tier as the ledger books it */
export function countLedger(
  db: TenantDb,
  project: OfProject,
  tier: number,
  ledger: readonly BookedLine[],
): void {
  afterCommit(db, async () => {
    for (const line of ledger) {
      const model = modelFamily(line.model);
      modelTokens.add({ model, kind: 'input' }, line.inputTokens);
      modelTokens.add({ model, kind: 'output' }, line.outputTokens);
      modelTokens.add({ model, kind: 'cache_read' }, line.cacheReadTokens);
      modelTokens.add({ model, kind: 'cache_write' }, line.cacheWriteTokens);
      await modelCost.add(project, { tier: workTier(tier), model }, line.costUsd);
    }
  });
}

export function countApproval(
  db: TenantDb,
  { requestedAt }: { requestedAt: Date },
  decision: Exclude<ApprovalStatus, 'pending'>,
  now: Date,
): void {
  afterCommit(db, () => approvalWait.observe({ decision }, secondsBetween(requestedAt, now)));
}

/** @param commands those whose state was just stored */
export function countCommands(db: TenantDb, commands: readonly EndedCommand[]): void {
  afterCommit(db, () => {
    for (const command of commands) {
      const labels = commandLabels(command);
      if (labels) commandsEnded.add(labels);
    }
  });
}

function secondsBetween(from: Date, until: Date): number {
  return (until.getTime() - from.getTime()) / 1_000;
}
