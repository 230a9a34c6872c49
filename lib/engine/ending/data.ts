import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Runner, Session } from '@/generated/prisma/client';
import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { fingerprintOf } from '@/lib/fleet/capabilities';
import { beforeCommit } from '@/lib/platform/db/raw';
import { upsertRow } from '@/lib/platform/db/rows';
import { rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CommandEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import { type StartSpec, startSpecSchema, type Transcript } from '@/lib/protocol/spec';
import type { AttemptRow } from '../attempt/data';
import type { EndFacts, EndPlan } from './end-plan';

/** Event kinds that a settlement reads. Text and output of a long session aren't loaded. */
const KINDS = [
  'command',
  'brokered',
  'metered',
  'init',
  'result',
  'request_usage',
  'tool_call',
  'tool_result',
  'check_result',
  'compaction',
  'api_retry',
  'rate_limit',
  'model_fallback',
];

/** Returns these events of all attempts of a session, including late ones, oldest first. */
export async function listSessionFacts(
  db: TenantDb,
  sessionId: string,
): Promise<{ attemptId: string | null; event: RunnerEvent }[]> {
  return rowsOf(
    db,
    // Prompts and outputs aren't loaded.
    sql`select attempt_id as "attemptId", case kind
        when 'command' then jsonb_build_object('kind', kind, 'confinement', payload->'confinement')
        when 'brokered' then payload #- '{end,output}'
        else payload end as event from session_event
      where organization_id = ${db.organizationId}::uuid and session_id = ${sessionId}::uuid and kind = any(${KINDS}::text[])
      order by seq`,
  );
}

interface Surroundings {
  /** What the attempt was started with; null if it had no process. */
  start: StartSpec | null;
  /** The session's attempts before this one. */
  earlier: {
    id: string;
    end: AttemptEnd | null;
    endText: string;
    purpose: string;
    onlyMode: string | null;
    /** Null if it was settled without a result of its runner. */
    reported: Pick<AttemptResult, 'startError' | 'exit' | 'lastSeq'> | null;
  }[];
  /** The last usage that the resumed conversation had reported. */
  resumed: EndFacts['parent'];
  /** Services that failed a check in other sessions of the chain. */
  failedInChain: string[];
}

/**
 * Reads what the end of an attempt depends on, except its own events.
 *
 * @param chainId null for a turn of a conversation
 */
export async function readSurroundings(
  db: TenantDb,
  attempt: Pick<AttemptRow, 'sessionId' | 'number' | 'start'>,
  chainId: string | null,
): Promise<Surroundings> {
  const start = attempt.start === null ? null : startSpecSchema.parse(attempt.start);
  const resumedId =
    start?.continuation.mode === 'resume' ? start.continuation.parentCliSessionId : null;
  const [row] = await sqlRows(db)<Omit<Surroundings, 'start'>>`select
      (select coalesce(jsonb_agg(jsonb_build_object(
            'id', id, 'end', end_kind, 'endText', end_text, 'purpose', purpose, 'onlyMode', only_mode,
            'reported', case when is_result_late then null else result end) order by number), '[]')
        from attempt where organization_id = ${db.organizationId}::uuid
          and session_id = ${attempt.sessionId}::uuid and number < ${attempt.number}) as earlier,
      (select jsonb_build_object(
            'reported', a.reported_usage, 'depth', p.depth, 'cumulativeTokens', p.cumulative_tokens,
            'contextTokens', p.context_tokens)
        from pointer p join attempt a on a.organization_id = p.organization_id and a.id = p.attempt_id
        where p.organization_id = ${db.organizationId}::uuid and p.cli_session_id = ${resumedId}
        order by p.id desc limit 1) as resumed,
      array(select distinct e.payload->>'service' from session s
        join session_event e on e.organization_id = s.organization_id and e.session_id = s.id
        where s.organization_id = ${db.organizationId}::uuid and s.chain_id = ${chainId}::uuid
          and s.id <> ${attempt.sessionId}::uuid
          and e.kind = 'check_result' and e.payload->>'status' in ('degraded', 'down')) as failed_in_chain`;
  if (!row) throw new Error('PostgreSQL gave no answer.');
  const resumed = row.resumed ?? {
    reported: null,
    depth: 0,
    cumulativeTokens: null,
    contextTokens: null,
  };
  return { ...row, start, resumed: resumedId === null ? null : resumed };
}

/** Counts a failed try to settle, and sets when the next one is due. */
export async function countFailedTry(
  db: TenantDb,
  attempt: AttemptRow,
  retryAt: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { settleFailures: { increment: 1 }, settleRetryAt: retryAt },
  });
}

/** Largest value of a 32-bit column, which a long conversation can exceed. */
const MAX_COLUMN = 2_147_483_647;

/** The rows of a conversation: its session, and the host that held it. */
export interface ConversationRows {
  session: Pick<Session, 'id' | 'projectId' | 'projectVersion' | 'model'>;
  runner: Pick<Runner, 'id' | 'capabilities'> | null;
  facts: EndFacts;
}

export async function writePointer(
  db: TenantDb,
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
    fingerprint: command.fingerprint ?? fingerprintOf(runner.capabilities, start.harness),
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
  const key = { organizationId: db.organizationId, attemptId: attempt.id };
  const { projectId, id: sessionId } = session;
  const about = { id: uuidv7(), projectId, sessionId, createdAt: now };
  beforeCommit(db, upsertRow(db, 'pointer', key, data, about));
}

/** Ends that may or may not have been caused by resuming the conversation. */
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

export function writeWindow(db: TenantDb, rows: ConversationRows, plan: EndPlan, now: Date): void {
  const cliVersion = rows.facts.events.findLast((event) => event.kind === 'init')?.cliVersion;
  const harness = rows.facts.attempt.start?.harness;
  if (!harness || !cliVersion || plan.contextWindow === null) return;
  const { organizationId } = db;
  const key = { organizationId, harness, cliVersion, model: rows.session.model };
  const seen = { windowTokens: plan.contextWindow, seenAt: now };
  beforeCommit(db, upsertRow(db, 'modelWindow', key, seen));
}
