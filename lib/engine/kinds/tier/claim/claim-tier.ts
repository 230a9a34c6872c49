import { requestOfStart } from '@/lib/engine/approvals/start-fact';
import { markUsedByStart } from '@/lib/engine/approvals/start-use';
import { type AttemptRow, isSessionTainted } from '@/lib/engine/attempt/data';
import { listRecoveryCandidates } from '@/lib/engine/checkpoints/data';
import {
  chooseRecovery,
  type RecoveredCheckpoint,
  type RecoveryCandidate,
  renderRecovery,
} from '@/lib/engine/checkpoints/recovery';
import type { ResumeDecision, StartDecision } from '@/lib/engine/continuation/schema';
import { isContinuationRefused } from '@/lib/engine/continuation/silence';
import { chainStarted } from '@/lib/engine/domain-events';
import { type NewNotice, recordNotices } from '@/lib/engine/events/notices';
import { listPoolHosts } from '@/lib/engine/hosts/data';
import { missingIsolation, strictest, unconfinedFact } from '@/lib/engine/hosts/pool-hosts';
import type { Claims } from '@/lib/engine/kinds/kind';
import { closedGate } from '@/lib/engine/start-policy/closed-gate';
import type { UnconfinedFact } from '@/lib/engine/start-policy/facts';
import { projectsDirOf } from '@/lib/fleet/capabilities';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';
import { startIsolation } from '@/lib/protocol/confinement';
import { workFolder } from '@/lib/protocol/project-folder';
import type { Recovery, StartSpec } from '@/lib/protocol/spec';
import { aboutOf, type ClaimFacts, loadClaimFacts, requiresApproval, type TierWork } from './facts';
import { endUnstarted, hold } from './hold';
import { resumeInput } from './resume-input';
import { startFacts } from './start-facts';
import { buildStart, signalsSection } from './start-spec';

/** How a tier of a chain is claimed, or an observe-only attempt about a lost one. */
export const tierClaims: Claims<TierWork> = {
  read,
  gate: (work, now) => closedGate(startFacts(work, now), now),
  resumeInput: (work, now) => resumeInput(work.attempt, work, env(), now),
  newPurpose: ({ attempt }, decision) => newPurpose(attempt, decision),
  hold,
  refuse: (db, scope, work, because, now) =>
    endUnstarted(db, scope, work, { ...because, outcome: 'needs_human' }, now),
  buildStart: build,
  isTainted: (db, work, decision, { recovery }) => isTainted(db, decision, work, recovery),
  started,
};

async function read(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  now: Date,
): Promise<TierWork> {
  const facts = await loadClaimFacts(db, scope, attempt, env(), now);
  const { runner, chain, frozen, organization } = facts;
  const denied = deniedVersionsOf(organization);
  return {
    ...facts,
    attempt,
    unconfined: await findUnconfined(db, attempt, facts, now),
    chainId: chain.id,
    config: frozen,
    isStopping: chain.stopRequestedAt !== null,
    isForNewRunners: false,
    words: {
      denial: null,
      deniedCli: deniedStart(frozen.runnerPool, runner, frozen.harness, denied),
    },
  };
}

async function build(
  db: TenantDb,
  work: TierWork,
  decision: StartDecision,
  now: Date,
): Promise<StartSpec> {
  const recovery = await findRecovery(db, decision, work, now);
  const purpose = newPurpose(work.attempt, decision) ?? work.attempt.purpose;
  const { start, warning } = buildStart(
    decision,
    { ...work.attempt, purpose },
    work,
    recovery,
    now,
  );
  const notices = warning ? [{ ...aboutOf(work), ...contextCut(warning) }] : [];
  recordNotices(db, notices, now);
  return start;
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

async function started(
  db: TenantDb,
  scope: TenantScope,
  work: TierWork,
  decision: StartDecision,
  sentence: string,
  now: Date,
): Promise<PendingJob[]> {
  const { chain, session, project, parent } = work;
  const audit = await spendApproval(db, work, decision, now);
  if (parent) {
    const notices = continuationNotices(decision, sentence, work);
    recordNotices(db, notices, now);
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
  { attempt, session, frozen, live, approvals, attemptsBefore }: TierWork,
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

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/**
 * Returns the section about an earlier session's checkpoint; null if the budget leaves no room for
 * any of its text.
 */
function startRecovery(
  chosen: RecoveryCandidate & RecoveredCheckpoint & { sessionId: string },
  { recoveryBudgetChars }: Pick<CheckpointSettings, 'recoveryBudgetChars'>,
): Recovery | null {
  const section = renderRecovery(redacted(chosen), recoveryBudgetChars);
  if (section === '') return null;
  const { checkpointId, sessionId, label, lineage, at } = chosen;
  return { checkpointId, sessionId, label, lineage, at: at.toISOString(), section };
}

function redacted(checkpoint: RecoveredCheckpoint): RecoveredCheckpoint {
  const { text } = createRedactor({ secrets: [] });
  return {
    ...checkpoint,
    digest: text(checkpoint.digest),
    remembered: checkpoint.remembered.map(text),
  };
}

/**
 * Returns the checkpoint that a start recovers from; null for a start that resumes, for a chain
 * that was forced to start fresh, if checkpoints are off, and if there is none.
 */
async function findRecovery(
  db: TenantDb,
  { mode }: Pick<StartDecision, 'mode'>,
  { live, frozen, chain, session, project, runner }: ClaimFacts,
  now: Date,
): Promise<Recovery | null> {
  const settings = live.checkpoints;
  const isResume = mode === 'resume';
  if (isResume || chain.isForceFresh || !settings.enabled) return null;
  const projectsDir = projectsDirOf(runner.capabilities);
  const isolation = startIsolation(strictest([frozen, live]));
  const ids = { organizationId: db.organizationId, projectId: project.id };
  const projectPathNormalized =
    projectsDir === null ? null : workFolder(projectsDir, ids, isolation);
  const { id: sessionId, parentSessionId } = session;
  const candidates = await listRecoveryCandidates(
    db,
    { projectId: project.id, sessionId, parentSessionId, projectPathNormalized },
    now,
  );
  const allowsTainted = session.tier === 1 || frozen.taintedConversation === 'resume';
  const request = { settings, isResume, projectPathNormalized, allowsTainted };
  const chosen = chooseRecovery(request, candidates, now);
  return chosen && startRecovery(chosen, settings);
}
