import type { Runner, Session } from '@/generated/prisma/client';
import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { fingerprintOf } from '@/lib/engine/attempts/claim/posture';
import type { AttemptRow } from '@/lib/engine/attempts/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CommandEvent } from '@/lib/protocol/events';
import type { Transcript } from '@/lib/protocol/spec';
import type { EndFacts } from '../facts';
import type { EndPlan } from '../plan';

/** Largest value of a 32-bit column. A long conversation can pass it. */
const MAX_COLUMN = 2_147_483_647;

/** Whose conversation it is, and where it was held. */
export interface ConversationRows {
  session: Pick<Session, 'id' | 'projectId' | 'projectVersion' | 'model'>;
  runner: Pick<Runner, 'id' | 'posture'> | null;
  facts: EndFacts;
}

export async function writePointer(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: ConversationRows,
  plan: EndPlan,
  now: Date,
): Promise<void> {
  const { facts, session, runner } = rows;
  const start = facts.attempt.start;
  if (plan.retiresParentFor && start?.continuation.mode === 'resume') {
    await db.pointer.updateMany({
      where: { cliSessionId: start.continuation.parentCliSessionId, state: { not: 'retired' } },
      data: { state: 'retired', retiredReason: plan.retiresParentFor },
    });
  }
  if (start?.continuation.mode === 'resume' && isUnexplained(plan.classified.end)) {
    await db.pointer.updateMany({
      where: { cliSessionId: start.continuation.parentCliSessionId },
      data: { failures: { increment: 1 } },
    });
  }
  const command = attempt.command as CommandEvent | null;
  if (!plan.pointer || !start || !runner || !command) return;
  const tokens = plan.ledger.reduce(
    (sum, line) =>
      sum + line.inputTokens + line.outputTokens + line.cacheReadTokens + line.cacheWriteTokens,
    0,
  );
  const data = {
    cliSessionId: start.cliSessionId,
    runnerId: runner.id,
    workDir: command.workDir,
    workDirInode: command.workDirInode,
    configDir: command.configDir,
    harness: start.harness,
    fingerprint: command.fingerprint ?? fingerprintOf(runner.posture, start.harness),
    account: command.account ?? null,
    cliVersion: attempt.cliVersion,
    model: start.model,
    contextTokens: plan.contextTokens,
    contextWindow: plan.contextWindow,
    cumulativeTokens: Math.min((facts.parent?.cumulativeTokens ?? 0) + tokens, MAX_COLUMN),
    ...transcriptColumns(facts.result.transcript),
    depth: facts.parent ? facts.parent.depth + 1 : 0,
    projectVersion: session.projectVersion,
    state: plan.pointer,
    retiredReason: plan.pointer === 'retired' ? plan.classified.end : null,
    isLate: facts.attempt.isLate,
  };
  await db.pointer.upsert({
    where: {
      organizationId_attemptId: { organizationId: scope.organizationId, attemptId: attempt.id },
    },
    create: {
      organizationId: scope.organizationId,
      projectId: session.projectId,
      sessionId: session.id,
      attemptId: attempt.id,
      createdAt: now,
      ...data,
    },
    update: data,
  });
}

/** Ends after which nobody knows whether resuming the conversation was the cause. */
const UNEXPLAINED: readonly AttemptEnd[] = ['crashed', 'stalled', 'unknown'];

function isUnexplained(end: AttemptEnd): boolean {
  return UNEXPLAINED.includes(end);
}

function transcriptColumns(transcript: Transcript | null) {
  return {
    transcriptBytes: transcript && Math.min(transcript.bytes, MAX_COLUMN),
    transcriptSha256: transcript?.sha256 ?? null,
  };
}

export async function writeWindow(
  db: TenantDb,
  scope: TenantScope,
  rows: ConversationRows,
  plan: EndPlan,
  now: Date,
): Promise<void> {
  const cliVersion = rows.facts.events.findLast((event) => event.kind === 'init')?.cliVersion;
  if (!cliVersion || plan.contextWindow === null) return;
  const { organizationId } = scope;
  const { model } = rows.session;
  const seen = { windowTokens: plan.contextWindow, seenAt: now };
  await db.modelWindow.upsert({
    where: { organizationId_cliVersion_model: { organizationId, cliVersion, model } },
    create: { organizationId, cliVersion, model, ...seen },
    update: seen,
  });
}
