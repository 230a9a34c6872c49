import type { AttemptRow } from '@/lib/engine/attempt/data';
import { resumeSentence } from '@/lib/engine/continuation/reasons';
import type { ResumeDecision } from '@/lib/engine/continuation/schema';
import type { NewNotice } from '@/lib/engine/events/notices';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import type { AuditEntry } from '@/lib/identity/audit/record-audit';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { ClaimFacts } from './facts';
import { denial as denialOf } from './resume-input';

/** How a start continues, as one sentence for people. */
export function sentenceOf(decision: ResumeDecision, facts: ClaimFacts): string {
  const source = facts.own ? facts.session : facts.parent;
  return resumeSentence(decision.reason, {
    tier: facts.session.tier,
    parentSession: source ? `#${source.number}` : null,
    parentTier: source?.tier ?? null,
    isContinuation: facts.own !== null,
    runner: facts.owner?.name ?? null,
    parentCliSessionId: facts.pointer?.cliSessionId ?? null,
    usedTokens: decision.context.usedTokens,
    windowTokens: decision.context.windowTokens,
    threshold: decision.context.threshold,
    denial: decision.mode === 'refuse' ? denialOf(facts) : null,
    deniedCli:
      decision.reason === 'CLI_DENYLISTED'
        ? deniedStart(
            facts.frozen.runnerPool,
            facts.runner,
            facts.frozen.harness,
            deniedVersionsOf(facts.organization),
          )
        : null,
  });
}

export async function recordContinuation(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const { chain, session, project, pointer } = facts;
  await db.decision.createMany({
    data: {
      organizationId: scope.organizationId,
      projectId: project.id,
      chainId: chain.id,
      sessionId: session.id,
      attemptId: attempt.id,
      kind: 'continuation',
      verdict: decision.mode,
      reason: decision.reason,
      sentence: sentenceOf(decision, facts),
      facts: toJson({
        guards: decision.guards,
        context: decision.context,
        advisories: decision.advisories,
      }),
      createdAt: now,
    },
  });
  if (decision.retirePointer && pointer && pointer.state !== 'retired') {
    await db.pointer.updateMany({
      where: { id: pointer.id },
      data: { state: 'retired', retiredReason: decision.reason.toLowerCase() },
    });
  }
}

/** What people read of it; nothing of a start without a predecessor. */
export function continuationNotices(decision: ResumeDecision, facts: ClaimFacts): NewNotice[] {
  if (!facts.parent && !facts.own) return [];
  const { threshold, thresholdSource, usedTokens, windowTokens } = decision.context;
  const about = aboutOf(facts);
  return [
    {
      ...about,
      // To hand off is no trouble where the project asks for it.
      level:
        decision.mode === 'resume' || decision.reason === 'RESUME_DISABLED' ? 'info' : 'warning',
      code: decision.reason,
      message: sentenceOf(decision, facts),
    },
    {
      ...about,
      level: 'info',
      code: 'CONTEXT_THRESHOLD',
      message: `Resume limit in force: ${percent(threshold)} (${thresholdSource === 'installation' ? 'set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD' : 'set for the project'}). In use: ${usedTokens === null ? 'not known' : usedTokens.toLocaleString('en')} of ${windowTokens.toLocaleString('en')} tokens.`,
    },
  ];
}

/** Something was left out of what the tier gets to read. */
export function cutContextNotice(facts: ClaimFacts, message: string): NewNotice {
  return { ...aboutOf(facts), level: 'warning', code: 'CONTEXT_CUT', message };
}

export function continuationAudit(
  decision: ResumeDecision,
  { project, session }: ClaimFacts,
): AuditEntry {
  return {
    action: 'decision.made',
    target: encodeId('ses', session.id),
    projectId: project.id,
    detail: { kind: 'continuation', verdict: decision.mode, reason: decision.reason },
  };
}

function aboutOf({ project, chain, session }: ClaimFacts) {
  return { projectId: project.id, chainId: chain.id, sessionId: session.id };
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}
