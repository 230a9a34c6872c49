import { afterExpiry } from '@/lib/engine/approvals/ask-approval';
import { findFinalRefusal, refusalClause } from '@/lib/engine/approvals/data';
import { approvalTitle } from '@/lib/engine/approvals/words';
import { type AttemptContext, readAttemptContext } from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { pausesOf } from '@/lib/engine/attempt/holds';
import { findNewestCheckpoint } from '@/lib/engine/checkpoints/data';
import { readHandoff } from '@/lib/engine/continuation/handoff/sanitize';
import { eventLogOf, mayHaveActed } from '@/lib/engine/continuation/tool-calls';
import { listCountedActions } from '@/lib/engine/cooldowns/action-rows';
import { listSessionFacts, readSurroundings } from '@/lib/engine/ending/data';
import { toolCallsOf } from '@/lib/engine/ending/tool-calls';
import { getSpending } from '@/lib/engine/ledger-data';
import { listFailedServices } from '@/lib/monitoring/checker-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { openWindow } from '@/lib/projects/maintenance/window';
import { getConfig } from '@/lib/projects/project-rows';
import { namesOfServices } from '@/lib/projects/service-names';
import type { AttemptResult } from '@/lib/protocol/schema';
import { attemptPurposeSchema, type StartSpec, tierSchema } from '@/lib/protocol/spec';
import { listProjectSignals } from '@/lib/signals/signal-rows';
import type { RefusedCommand, SettlementFacts } from './facts';
import { lacksFindings } from './handoff';
import { reportOf } from './plan';

/** The facts of a settlement, and the rows that its writes refer to. */
export interface SettlementRows
  extends Pick<AttemptContext, 'session' | 'chain' | 'project' | 'runner'> {
  facts: SettlementFacts;
}

/** Loads the facts of a locked attempt. */
export async function loadSettlementFacts(
  db: TenantDb,
  attempt: AttemptRow,
  result: AttemptResult,
  installation: { isDryRunForced: boolean },
  now: Date,
): Promise<SettlementRows> {
  const context = await readAttemptContext(db, attempt.sessionId, attempt.runnerId, now);
  const { session, chain, project, runner, handoff } = context;
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live = await getConfig(db, project.id, project.currentVersion);
  // Sent one behind the other, which costs one round trip.
  const [surroundings, stored, actions, spending, refused, evidence] = await Promise.all([
    readSurroundings(db, attempt, chain.id),
    listSessionFacts(db, session.id),
    listCountedActions(db, project.id, live.cooldowns, now),
    getSpending(db, project.id, chain.id, now),
    findRefused(db, session.id),
    readEvidence(db, chain, session, now),
  ]);
  const services = namesOfServices(frozen.services);
  const events = stored.filter(
    ({ event }) => event.kind !== 'check_result' || services.includes(event.service),
  );
  const eventsOf = (attemptId: string) =>
    events.flatMap((row) => (row.attemptId === attemptId ? row.event : []));
  const own = eventsOf(attempt.id);
  const isCheckpointAsked =
    live.checkpoints.enabled &&
    !attempt.isResultLate &&
    lacksFindings(reportOf(own, frozen.services), session.tier);
  const facts: SettlementFacts = {
    projectName: project.name,
    chain: { isDryRun: chain.isDryRun, isStopRequested: chain.stopRequestedAt !== null },
    session: { tier: tierSchema.parse(session.tier), model: session.model },
    attempt: {
      purpose: asPurpose(attempt.purpose),
      onlyMode: attempt.onlyMode === 'handoff' ? 'handoff' : null,
      start: surroundings.start,
      isLate: attempt.isResultLate,
      startMode: startModeOf(attempt.purpose, surroundings.start),
      isContinuation: attempt.purpose === 'continue',
      isReported: attempt.result !== null,
    },
    runnerName: runner?.name ?? '—',
    result,
    events: own,
    parent: surroundings.resumed,
    earlier: surroundings.earlier.map((sibling) => ({
      end: sibling.end ?? 'unknown',
      purpose: asPurpose(sibling.purpose),
      onlyMode: sibling.onlyMode === 'handoff' ? ('handoff' as const) : null,
      isContinuation: sibling.purpose === 'continue',
      endText: sibling.endText,
      mayHaveActed: mayHaveActed({
        eventLog: eventLogOf(sibling.end, sibling.reported),
        toolCalls: toolCallsOf(eventsOf(sibling.id), frozen.harness),
      }),
    })),
    earlierChecks: events.flatMap(({ attemptId, event }) =>
      attemptId !== attempt.id && event.kind === 'check_result' ? event : [],
    ),
    evidence: {
      ...evidence,
      failedBefore: [...new Set([...surroundings.failedInChain, ...evidence.failedBefore])],
    },
    previousHandoff: handoff ? readHandoff(handoff.payload, services) : null,
    checkpoint: isCheckpointAsked ? await findNewestCheckpoint(db, session.id) : null,
    frozen,
    live,
    pauses: pausesOf({ ...context, tierPauses: context.holds.tierPauses }),
    snoozes: context.holds.snoozes,
    acknowledgements: context.holds.acknowledgements,
    maintenance: openWindow(live.maintenance, now),
    actions,
    spending,
    isDryRunForced: installation.isDryRunForced,
    pendingUntil: result.stopCause === 'approval' ? await pendingUntil(db, attempt.id) : null,
    refused,
  };
  return { facts, session, chain, project, runner };
}

async function findRefused(db: TenantDb, sessionId: string): Promise<RefusedCommand | null> {
  const row = await findFinalRefusal(db, sessionId);
  return row && { title: approvalTitle(row), refusal: refusalClause(row), services: row.services };
}

/** Returns until when an attempt waits for decisions at most; null if none is pending. */
async function pendingUntil(db: TenantDb, attemptId: string): Promise<Date | null> {
  const { _max } = await db.approval.aggregate({
    where: { attemptId, status: 'pending' },
    _max: { expiresAt: true },
  });
  return _max.expiresAt && afterExpiry(_max.expiresAt);
}

const tierPurposeSchema = attemptPurposeSchema.exclude(['ask']);

/**
 * Returns `tier` for a continuation too.
 *
 * @throws ZodError for a purpose that no attempt of a tier has
 */
function asPurpose(purpose: string): 'tier' | 'reconcile' {
  return tierPurposeSchema.parse(purpose) === 'reconcile' ? 'reconcile' : 'tier';
}

function startModeOf(
  purpose: string,
  start: StartSpec | null,
): SettlementFacts['attempt']['startMode'] {
  if (purpose === 'reconcile') return 'reconcile';
  const mode = start?.continuation.mode;
  return mode === 'resume' || mode === 'handoff' ? mode : 'fresh';
}

/**
 * Reads what is known about services at the end of a session without any agent: checks that fail, and alerts.
 */
async function readEvidence(
  db: TenantDb,
  chain: { id: string; projectId: string; createdAt: Date; signalIds: readonly string[] },
  session: { id: string; startedAt: Date | null },
  now: Date,
): Promise<SettlementFacts['evidence']> {
  const { projectId, createdAt, signalIds } = chain;
  const during = { from: createdAt, until: session.startedAt ?? now };
  const [watched, signals] = await Promise.all([
    listFailedServices(db, db.organizationId, projectId, during),
    listProjectSignals(db, db.organizationId, projectId, signalIds),
  ]);
  const named = (list: typeof signals) => list.flatMap(({ service }) => service ?? []);
  const firing = signals.filter(({ status }) => status === 'firing');
  // An alert that names no service may be about anything, so it counts where it started the chain.
  const unnamed = signals.filter(({ id, service }) => service === null && signalIds.includes(id));
  return {
    failedBefore: watched,
    signals: {
      firing: named(firing),
      reported: named(signals),
      isUnnamedFiring: unnamed.some(({ status }) => status === 'firing'),
      isUnnamedReported: unnamed.length > 0,
    },
  };
}
