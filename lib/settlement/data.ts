import { Prisma } from '@/generated/prisma/client';
import type { AttemptRow } from '@/lib/attempts/data';
import { handoffSchema } from '@/lib/continuity/handoff/schema';
import { mayHaveChanged } from '@/lib/continuity/tool-calls';
import { listActionsSince } from '@/lib/cooldowns/data';
import { executeRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { PauseFact } from '@/lib/escalation/schema';
import type { AttemptEnd } from '@/lib/harness/attempt-end';
import type { ModelUsages } from '@/lib/harness/claude/usage';
import { getConfig, getProjectRow } from '@/lib/projects/data';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { AttemptResult } from '@/lib/runner-protocol/schema';
import { type StartSpec, startSpecSchema, type Tier } from '@/lib/runner-protocol/spec';
import { getSpending } from '@/lib/usage/data';
import type { SettlementFacts } from './facts';
import { toolCallsOf } from './tool-calls';

/** Kinds that a settlement reads; text and output of a long session stay where they are. */
const KINDS = [
  'init',
  'result',
  'request_usage',
  'tool_call',
  'tool_result',
  'check_result',
  'compaction',
  'rate_limit',
  'model_fallback',
];

export async function loadSettlementFacts(
  db: TenantDb,
  attempt: AttemptRow,
  result: AttemptResult,
  installation: { isDryRunForced: boolean },
  now: Date,
) {
  const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
  const chain = await db.chain.findFirstOrThrow({ where: { id: session.chainId } });
  const project = await getProjectRow(db, session.projectId);
  const organization = await db.organization.findFirstOrThrow({});
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live = await getConfig(db, project.id, project.currentVersion);
  const runner = attempt.runnerId
    ? await db.runner.findFirst({ where: { id: attempt.runnerId } })
    : null;
  const start = attempt.start === null ? null : startSpecSchema.parse(attempt.start);
  const events = await listEvents(db, session.id, attempt.id);
  const siblings = await db.attempt.findMany({
    where: { sessionId: session.id, number: { lt: attempt.number } },
    orderBy: { number: 'asc' },
  });
  const earlier = await Promise.all(
    siblings.map(async (sibling) => ({
      end: (sibling.end ?? 'unknown') as AttemptEnd,
      purpose: asPurpose(sibling.purpose),
      onlyMode: sibling.onlyMode === 'handoff' ? ('handoff' as const) : null,
      mayHaveChanged: mayHaveChanged(toolCallsOf(await listEvents(db, session.id, sibling.id))),
    })),
  );
  const earlierChecks = await listChecksBefore(db, session.id, attempt.id);
  const handoff = session.parentSessionId
    ? await db.handoff.findFirst({ where: { sessionId: session.parentSessionId } })
    : null;
  const services = await db.service.findMany({
    where: { projectId: project.id, snoozedUntil: { gt: now } },
  });
  const longest = Math.max(0, ...live.cooldowns.map((rule) => rule.windowSeconds));
  const facts: SettlementFacts = {
    projectName: project.name,
    chain: {
      id: chain.id,
      number: chain.number,
      isDryRun: chain.isDryRun,
      isStopRequested: chain.stopRequestedAt !== null,
    },
    session: {
      id: session.id,
      number: session.number,
      tier: session.tier as Tier,
      model: session.model,
    },
    attempt: {
      id: attempt.id,
      number: attempt.number,
      purpose: asPurpose(attempt.purpose),
      onlyMode: attempt.onlyMode === 'handoff' ? 'handoff' : null,
      start,
      isLate: attempt.isResultLate,
      startMode: startModeOf(attempt.purpose, start),
    },
    runnerName: runner?.name ?? '—',
    result,
    events,
    parent: await parentOf(db, start),
    earlier,
    earlierChecks,
    previousHandoff: handoff ? handoffSchema.parse(handoff.payload) : null,
    frozen,
    live,
    pauses: pausesOf(organization, project),
    snoozes: services.flatMap((service) =>
      service.snoozedUntil ? [{ service: service.name, until: service.snoozedUntil }] : [],
    ),
    actions: await listActionsSince(db, project.id, new Date(now.getTime() - longest * 1_000)),
    spending: await getSpending(db, project.id, chain.id, now),
    isDryRunForced: installation.isDryRunForced,
  };
  return { facts, session, chain, project, runner };
}

export type SettlementRows = Awaited<ReturnType<typeof loadSettlementFacts>>;

function asPurpose(purpose: string): 'tier' | 'reconcile' {
  return purpose === 'reconcile' ? 'reconcile' : 'tier';
}

function startModeOf(
  purpose: string,
  start: StartSpec | null,
): SettlementFacts['attempt']['startMode'] {
  if (purpose === 'reconcile') return 'reconcile';
  const mode = start?.continuation.mode;
  return mode === 'resume' || mode === 'handoff' ? mode : 'fresh';
}

/** Of one attempt, late ones included; oldest first. */
async function listEvents(
  db: TenantDb,
  sessionId: string,
  attemptId: string,
): Promise<RunnerEvent[]> {
  const rows = await db.sessionEvent.findMany({
    where: { sessionId, attemptId, kind: { in: KINDS } },
    orderBy: { seq: 'asc' },
    select: { payload: true },
  });
  return rows.map((row) => row.payload as unknown as RunnerEvent);
}

async function listChecksBefore(db: TenantDb, sessionId: string, attemptId: string) {
  const rows = await db.sessionEvent.findMany({
    where: { sessionId, attemptId: { not: attemptId }, kind: 'check_result' },
    orderBy: { seq: 'asc' },
    select: { payload: true },
  });
  return rows.map(
    (row) => row.payload as unknown as Extract<RunnerEvent, { kind: 'check_result' }>,
  );
}

/** What the conversation that was resumed had last reported about itself. */
async function parentOf(db: TenantDb, start: StartSpec | null): Promise<SettlementFacts['parent']> {
  if (start?.continuation.mode !== 'resume') return null;
  const pointer = await db.pointer.findFirst({
    where: { cliSessionId: start.continuation.parentCliSessionId },
    orderBy: { id: 'desc' },
  });
  const attempt = pointer ? await db.attempt.findFirst({ where: { id: pointer.attemptId } }) : null;
  return {
    reported: (attempt?.reportedUsage as ModelUsages | null | undefined) ?? null,
    depth: pointer?.depth ?? 0,
    cumulativeTokens: pointer?.cumulativeTokens ?? null,
  };
}

function pausesOf(
  organization: { pausedAt: Date | null; pausedBy: string | null },
  project: { pausedAt: Date | null; pausedBy: string | null },
): PauseFact[] {
  const pause = (
    scope: PauseFact['scope'],
    row: { pausedAt: Date | null; pausedBy: string | null },
  ) => (row.pausedAt ? [{ scope, by: row.pausedBy ?? 'someone', since: row.pausedAt }] : []);
  return [...pause('organization', organization), ...pause('project', project)];
}

/** Takes back what an attempt had booked, so that a later and better figure can be booked instead. */
export async function unbookAttempt(
  db: TenantDb,
  organizationId: string,
  attemptId: string,
): Promise<void> {
  await executeRaw(
    db,
    Prisma.sql`with gone as (
        delete from ledger_entry where organization_id = ${organizationId}::uuid and attempt_id = ${attemptId}::uuid returning *
      ), sums as (
        select project_id, (booked_at at time zone 'UTC')::date as day, tier, model, sum(cost_micros) as cost,
          sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) as tokens
        from gone group by 1, 2, 3, 4
      )
      update daily_usage u set cost_micros = u.cost_micros - s.cost, tokens = u.tokens - s.tokens
      from sums s where u.organization_id = ${organizationId}::uuid and u.project_id = s.project_id
        and u.day = s.day and u.tier = s.tier and u.model = s.model`,
  );
}
