import { afterExpiry, askApproval } from '@/lib/engine/approvals/ask-approval';
import { refusalClause } from '@/lib/engine/approvals/data';
import { noteRefused } from '@/lib/engine/approvals/note-refused';
import { refusalOfStart } from '@/lib/engine/approvals/refusals';
import { approvalFact, requestOfStart } from '@/lib/engine/approvals/start-fact';
import { markUsedByStart } from '@/lib/engine/approvals/start-use';
import { approvalTitle } from '@/lib/engine/approvals/words';
import { type AttemptRow, isSessionTainted } from '@/lib/engine/attempt/data';
import { pausesOf } from '@/lib/engine/attempt/holds';
import { budgetFacts } from '@/lib/engine/budget';
import { endUnstartedSession } from '@/lib/engine/chains/end-chain';
import type { ResumeDecision, StartDecision } from '@/lib/engine/continuation/schema';
import { isContinuationRefused } from '@/lib/engine/continuation/silence';
import { cooldownState } from '@/lib/engine/cooldowns/state';
import { chainStarted } from '@/lib/engine/domain-events';
import { type NewNotice, recordNotices } from '@/lib/engine/events/notices';
import { listPoolHosts } from '@/lib/engine/hosts/data';
import {
  missingIsolation,
  strictest,
  unconfinedFact,
  unprovenFact,
} from '@/lib/engine/hosts/pool-hosts';
import type { ClaimableWork } from '@/lib/engine/kinds/kind';
import { closedGate } from '@/lib/engine/start-policy/closed-gate';
import {
  NOTHING_HOLDS,
  type StartFacts,
  type UnconfinedFact,
} from '@/lib/engine/start-policy/facts';
import { asSentence, type ClosedGate, type GateCode } from '@/lib/engine/start-policy/gate';
import { hostDueAt } from '@/lib/engine/start-policy/host-gates';
import { markWaiting } from '@/lib/engine/status-data';
import { approvalStatusSchema, type HostWait, isHostWait } from '@/lib/engine/statuses';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { openWindow } from '@/lib/projects/maintenance/window';
import { namedServices } from '@/lib/projects/service-names';
import { type Recovery, tierSchema } from '@/lib/protocol/spec';
import { type ClaimFacts, loadClaimFacts, requiresApproval } from './facts';
import { findRecovery } from './recovery';
import { resumeInput } from './resume-input';
import { buildStart, isDryRun, signalsSection } from './start-spec';

/** Reads the claim of a tier of a chain, or of an observe-only attempt about a lost one. */
export async function claimableTier(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  now: Date,
): Promise<ClaimableWork> {
  const facts = await loadClaimFacts(db, scope, attempt, env(), now);
  const { runner, session, project, chain, frozen, parent, owner, pointer } = facts;
  const unconfined = await findUnconfined(db, attempt, facts, now);
  return {
    ...{ runner, session, project, parent, owner, pointer },
    chainId: chain.id,
    config: frozen,
    refusals: facts.refusals,
    isStopping: chain.stopRequestedAt !== null,
    isForNewRunners: false,
    gate: (at) => closedGate(startFacts(attempt, facts, unconfined, at), at),
    hold: (gate, at) => hold(db, scope, attempt, facts, gate, at),
    resumeInput: (at) => resumeInput(attempt, facts, env(), at),
    words: {
      denial: null,
      deniedCli: deniedStart(
        frozen.runnerPool,
        runner,
        frozen.harness,
        deniedVersionsOf(facts.organization),
      ),
      isContinuation: facts.isContinuation,
    },
    startedBefore: facts.isContinuation ? startedBefore(facts) : null,
    newPurpose: (decision) => newPurpose(attempt, decision),
    refuse: (reason, sentence, at) =>
      endUnstarted(db, scope, attempt, facts, { reason, sentence, outcome: 'needs_human' }, at),
    buildStart: async (decision, at) => {
      const recovery = await findRecovery(db, scope, decision, facts, at);
      const purpose = newPurpose(attempt, decision) ?? attempt.purpose;
      const decided = { ...attempt, purpose };
      const { start, warning } = buildStart(decision, decided, facts, recovery, at);
      const notices = warning ? [{ ...aboutOf(facts), ...contextCut(warning) }] : [];
      recordNotices(db, scope.organizationId, notices, at);
      return start;
    },
    isTainted: (decision, { recovery }) => isTainted(db, decision, facts, recovery),
    started: (decision, sentence, at) => started(db, scope, attempt, facts, decision, sentence, at),
  };
}

/** Whether its prompt holds alerts, or it takes over what an earlier conversation holds. */
async function isTainted(
  db: TenantDb,
  decision: StartDecision,
  facts: ClaimFacts,
  recovery: Recovery | null | undefined,
): Promise<boolean> {
  if (signalsSection(decision, facts) !== null) return true;
  if (decision.mode === 'resume') return facts.isTainted;
  return recovery ? isSessionTainted(db, recovery.sessionId) : false;
}

/** A continuation doesn't change how its session started. */
function startedBefore({ session: { mechanism, isFallback } }: ClaimFacts) {
  const started = mechanism === 'resume' || mechanism === 'handoff' ? mechanism : 'fresh';
  return { mechanism: started, isFallback } as const;
}

/**
 * A continuation that is refused becomes a retry, unless the session was continued before. Work
 * that may have changed something is only examined.
 */
function newPurpose(attempt: AttemptRow, decision: ResumeDecision): 'tier' | 'reconcile' | null {
  if (decision.mode === 'reconcile') return attempt.purpose === 'reconcile' ? null : 'reconcile';
  return isContinuationRefused(attempt, decision) ? 'tier' : null;
}

/** Returns why the runner can't confine the agent, and which runner of its pool can. */
async function findUnconfined(
  db: TenantDb,
  attempt: AttemptRow,
  { frozen, live, runner }: ClaimFacts,
  now: Date,
): Promise<UnconfinedFact | null> {
  const { id, purpose } = attempt;
  const missing = missingIsolation([frozen, live], runner);
  if (missing === null) return null;
  const continuesConversation = purpose === 'continue' || purpose === 'approval';
  return unconfinedFact(missing, await listPoolHosts(db, id, now), { continuesConversation });
}

/**
 * Returns the facts of the gates: the stricter of what the chain froze and what is configured now.
 */
function startFacts(
  attempt: AttemptRow,
  facts: ClaimFacts,
  unconfined: UnconfinedFact | null,
  now: Date,
): StartFacts {
  const { organization, project, session, frozen, live, holds, spending, actions } = facts;
  const tier = tierSchema.parse(session.tier);
  const isReconcile = attempt.purpose === 'reconcile';
  const asked: StartFacts = {
    ...NOTHING_HOLDS,
    tier,
    projectName: project.name,
    pauses: pausesOf({ organization, project, tierPauses: holds.tierPauses }),
    maintenance: openWindow(live.maintenance, now),
    snoozes: holds.snoozes,
    inHand: holds.inHand,
    services: tier > 1 ? affectedBy(facts) : [],
    maxTier: tierSchema.parse(Math.min(frozen.maxTier, live.maxTier)),
    enabledTiers: live.tiers.flatMap((each) => (each.isEnabled ? each.tier : [])),
    unconfined,
    unproven: isReconcile
      ? null
      : unprovenFact(tier, strictest([frozen, live]), frozen.harness, facts.runner),
  };
  // It only observes, so that people know what the lost attempt did.
  if (isReconcile) return asked;
  return {
    ...asked,
    isDryRun: isDryRun(facts),
    budgets: budgetFacts(spending, live.budgets),
    cooldowns: cooldownState(live.cooldowns, actions, namedServices(frozen.services), now),
    approval:
      startRefused(attempt, facts) ??
      approvalFact(
        facts.approvals.map((row) => ({
          ...row,
          status: approvalStatusSchema.parse(row.status),
          title: approvalTitle(row),
          refusal: refusalClause(row),
        })),
        {
          attemptId: attempt.id,
          purpose: attempt.purpose,
          needsApproval: requiresApproval([frozen, live], tier),
          earlier: facts.attemptsBefore,
        },
        now,
      ),
  };
}

/** What people have refused about starts of this tier or of one below it, in the incident. */
function startRefused(
  { purpose }: AttemptRow,
  { refusals, session }: ClaimFacts,
): StartFacts['approval'] {
  const refused = purpose === 'tier' ? refusalOfStart(refusals, session.tier) : null;
  return refused && { kind: 'refused', title: approvalTitle(refused), refusal: refused.refusal };
}

/**
 * Stores why the work doesn't start. Written once, because the sweep repeats the claim until the
 * gate opens.
 */
async function hold(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  { code, because, remedy, ends, waitReason }: ClosedGate,
  now: Date,
): Promise<PendingJob[]> {
  const { session, chain } = facts;
  const { tier } = session;
  const refused = code === 'APPROVAL_REFUSED' && refusalOfStart(facts.refusals, tier);
  if (refused) {
    const { projectId, sessionId } = attempt;
    const about = { projectId, sessionId, chainId: chain.id, tier };
    await noteRefused(db, scope, about, refused, now);
  }
  if (ends !== 'passes') {
    const sentence = `Tier ${tier} was not started: ${because}.`;
    const end =
      ends === 'settled'
        ? ({ sentence, outcome: 'suppressed' } as const)
        : ({ sentence: `${sentence} ${remedy}`, outcome: 'needs_human' } as const);
    return endUnstarted(db, scope, attempt, facts, { reason: code, ...end }, now);
  }
  const message =
    code === 'PAUSED'
      ? `${asSentence(because)} Tier ${tier} starts once it is resumed.`
      : `Tier ${tier} is waiting: ${because}.`;
  if (isHostWait(waitReason)) await waitForHost(db, attempt, session, code, waitReason, now);
  const jobs = await askAboutStart(db, scope, attempt, facts, code, now);
  if (session.statusText === message) return jobs;
  const work = { sessionId: session.id, chainId: chain.id };
  await markWaiting(db, work, { statusText: message, waitReason });
  // Several such runners claim in turn, each with a reason of its own.
  if (isHostWait(waitReason) && (await isNoticed(db, session.id, code, message))) return jobs;
  const notice: NewNotice = { ...aboutOf(facts), level: 'info', code, message };
  recordNotices(db, scope.organizationId, [notice], now);
  return jobs;
}

async function isNoticed(
  db: TenantDb,
  sessionId: string,
  code: GateCode,
  message: string,
): Promise<boolean> {
  return (await db.projectEvent.count({ where: { sessionId, code, message } })) > 0;
}

/** Codes of gates that the host of the conversation doesn't open, and another host may. */
const OPEN_ELSEWHERE: readonly GateCode[] = ['CANARY_FAILED', 'CONFINED_ELSEWHERE'];

/** Bounds the wait for a host. The time starts again after a wait for something else. */
async function waitForHost(
  db: TenantDb,
  { id, proofDueAt: due }: AttemptRow,
  session: Pick<ClaimFacts['session'], 'waitReason'>,
  code: GateCode,
  wait: HostWait,
  now: Date,
): Promise<void> {
  const isFirst = !isHostWait(session.waitReason) || due === null;
  const data = {
    ...(isFirst ? { proofDueAt: hostDueAt(wait, now) } : {}),
    // Elsewhere it starts with the sealed copy of the conversation, or with the handoff.
    ...(OPEN_ELSEWHERE.includes(code) ? { requiredRunnerId: null } : {}),
  };
  await db.attempt.updateMany({ where: { id }, data });
}

/** Asks people about the start of a tier, once. Until they have decided it isn't claimed again. */
async function askAboutStart(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  code: GateCode,
  now: Date,
): Promise<PendingJob[]> {
  const { session, chain, given, live, approvals } = facts;
  if (code !== 'APPROVAL' || attempt.purpose !== 'tier') return [];
  if (approvals.some(({ attemptId }) => attemptId === attempt.id)) return [];
  const asked = {
    kind: 'tier' as const,
    projectId: attempt.projectId,
    chainId: chain.id,
    sessionId: session.id,
    attemptId: attempt.id,
    tier: session.tier,
    ...{ runnerId: null, commandNumber: null, argv: null, cwd: null, files: [] },
    ...{ commandDigest: null, rule: null, services: affectedBy(facts) },
    reason: reasonOfStart(given, chain),
    requester: chain.requestedPerson,
  };
  const { expiresAt, jobs } = await askApproval(db, scope, asked, live.approvals, now);
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { notBefore: afterExpiry(expiresAt) },
  });
  return jobs;
}

/** Why a tier is due: what the tier before it has reported, or what the person asked for. */
function reasonOfStart(
  given: ClaimFacts['given'],
  { prompt }: Pick<ClaimFacts['chain'], 'prompt'>,
): string {
  if (given === null) return prompt ?? '';
  return [given.escalation_reason, given.summary].filter(Boolean).join(' ');
}

/** Returns the services that the previous tier handed on; none for the first tier. */
function affectedBy({ given }: Pick<ClaimFacts, 'given'>): readonly string[] {
  return given?.services_affected ?? [];
}

/** Ends the session together with its chain, whose outcome says why. */
function endUnstarted(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  end: { reason: string; sentence: string; outcome: 'needs_human' | 'suppressed' },
  now: Date,
): Promise<PendingJob[]> {
  const { session, chain } = facts;
  const isSettled = end.outcome === 'suppressed';
  return endUnstartedSession(
    db,
    scope,
    {
      attemptId: attempt.id,
      ...{ session, chain, ...end },
      end: isSettled ? 'stopped' : 'start_failed',
      level: isSettled ? 'info' : 'critical',
      services: affectedBy(facts),
    },
    now,
  );
}

async function started(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: StartDecision,
  sentence: string,
  now: Date,
): Promise<PendingJob[]> {
  const { chain, session, project, parent } = facts;
  const audit = await spendApproval(db, attempt, facts, decision, now);
  if (parent) {
    const notices = continuationNotices(decision, sentence, facts);
    recordNotices(db, scope.organizationId, notices, now);
    const { mode, reason } = decision;
    audit.push({
      action: 'decision.made',
      target: encodeId('ses', session.id),
      projectId: project.id,
      detail: { kind: 'continuation', verdict: mode, reason },
    });
  }
  if (audit.length > 0) await recordAudit(db, scope, audit);
  return chain.startedAt === null
    ? publish(db, scope, chainStarted, { chainId: chain.id }, now)
    : [];
}

/** Uses the approval of this start. An attempt that only observes needs none. */
async function spendApproval(
  db: TenantDb,
  attempt: AttemptRow,
  { session, frozen, live, approvals, attemptsBefore }: ClaimFacts,
  { mode }: StartDecision,
  now: Date,
): Promise<AuditEntry[]> {
  if (attempt.purpose !== 'tier' || mode === 'reconcile') return [];
  if (!requiresApproval([frozen, live], session.tier)) return [];
  const start = { attemptId: attempt.id, earlier: attemptsBefore };
  const approval = requestOfStart(approvals, start);
  if (!approval) throw new Error('A tier that needs approval starts without one.');
  return [await markUsedByStart(db, attempt, approval.id, now)];
}

/** Returns the notices about a start that has a predecessor. */
function continuationNotices(
  { mode, reason, context }: StartDecision,
  sentence: string,
  facts: ClaimFacts,
): NewNotice[] {
  const { threshold, thresholdSource, usedTokens, windowTokens } = context;
  const about = aboutOf(facts);
  const source =
    thresholdSource === 'installation'
      ? 'set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD'
      : 'set for the project';
  const used = usedTokens === null ? 'not known' : usedTokens.toLocaleString('en');
  return [
    {
      ...about,
      // A handoff is no problem if the project is configured for it.
      level: mode === 'resume' || reason === 'RESUME_DISABLED' ? 'info' : 'warning',
      code: reason,
      message: sentence,
    },
    {
      ...about,
      level: 'info',
      code: 'CONTEXT_THRESHOLD',
      message: `Resume limit: ${percent(threshold)} (${source}). In use: ${used} of ${windowTokens.toLocaleString('en')} tokens.`,
    },
  ];
}

/** Returns the notice that something was left out of the tier's context. */
function contextCut(message: string) {
  return { level: 'warning' as const, code: 'CONTEXT_CUT', message };
}

function aboutOf({ project, chain, session }: ClaimFacts) {
  return { projectId: project.id, chainId: chain.id, sessionId: session.id };
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}
