import type { BookedLine } from '@/lib/agents/booking';
import { budgetFacts } from '@/lib/engine/budget';
import { type ParsedHandoff, parseHandoff } from '@/lib/engine/continuation/handoff/parse';
import { sanitizeHandoff } from '@/lib/engine/continuation/handoff/sanitize';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import { beforeFirstChange } from '@/lib/engine/ending/tool-calls';
import { failedServices, unique } from '@/lib/engine/escalation/affected';
import { provenHealthy } from '@/lib/engine/escalation/claim';
import { chainOutcomeOf, decideEscalation } from '@/lib/engine/escalation/decide';
import type {
  EscalationDecision,
  EscalationFacts,
  EscalationPolicy,
  Evidence,
  HandoffVerdict,
} from '@/lib/engine/escalation/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { namedServices, namesOfServices } from '@/lib/projects/service-names';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { ParsedReport } from '@/lib/protocol/report';
import { type Tier, tierSchema } from '@/lib/protocol/spec';
import type { SettlementFacts } from './facts';
import { handoffOf } from './handoff';
import type { PlannedNotice, SettlementStep } from './plan';

/** Decides what follows a completed attempt: the escalation decision and its consequences. */
export function afterCompletion(
  facts: SettlementFacts,
  report: ParsedReport,
  ledger: readonly BookedLine[],
  now: Date,
): SettlementStep {
  const { input, policy, file, cooldownState } = escalationInput(facts, report, ledger, now);
  const decision = decideEscalation(input, policy, now);
  const handoff = handoffOf(facts, decision, report, file, cooldownState);
  const notices: PlannedNotice[] = [
    ...decision.notes.map((note) => ({ ...note })),
    ...(handoff?.disagreement
      ? [{ level: 'warning' as const, code: 'HANDOFF_DISAGREES', message: handoff.disagreement }]
      : []),
    ...fileNotices(facts),
    { level: decision.level, code: decision.reason, message: decision.sentence },
  ];
  const summary = report.ok ? report.report.summary : '';
  const outcome = chainOutcomeOf(decision);
  return {
    decision: {
      kind: 'escalation',
      verdict: decision.kind,
      reason: decision.reason,
      sentence: decision.sentence,
    },
    session: {
      status: sessionStatus(decision),
      statusText: summary || decision.sentence,
      isEnded: true,
    },
    handoff: handoff?.planned ?? null,
    next:
      decision.kind === 'escalate'
        ? { kind: 'session', tier: decision.tier, model: modelOf(facts, decision.tier) }
        : { kind: 'none' },
    chainEnd: outcome
      ? {
          outcome,
          reason: decision.reason,
          statusText: decision.sentence,
          summary,
          servicesAffected: decision.services,
        }
      : null,
    notices,
  };
}

function modelOf(facts: SettlementFacts, tier: 2 | 3): string {
  return facts.frozen.tiers[tier - 1]?.model ?? facts.session.model;
}

function sessionStatus(decision: EscalationDecision): string {
  return decision.kind === 'escalate'
    ? 'escalated'
    : decision.kind === 'blocked'
      ? 'failed'
      : 'completed';
}

/**
 * Returns the notice for a handoff file that starts nothing (HND-3.7). The runner has deleted the
 * file.
 */
function fileNotices(facts: SettlementFacts): PlannedNotice[] {
  const file = facts.result.handoffFile;
  if (file.state !== 'read') return [];
  return [
    {
      level: 'info',
      code: 'HANDOFF_FILE_DELETED',
      message: `The handoff file of tier ${facts.session.tier} was read and deleted.`,
    },
  ];
}

/** Returns facts and policy of the escalation decision, with the facts they were made from. */
export function escalationInput(
  facts: SettlementFacts,
  report: ParsedReport,
  ledger: readonly BookedLine[],
  now: Date,
): {
  input: EscalationFacts;
  policy: EscalationPolicy;
  file: ParsedHandoff | null;
  cooldownState: readonly CooldownFact[];
} {
  const file = readFile(facts);
  const cooldowns = cooldownState(
    facts.live.cooldowns,
    facts.actions,
    namedServices(facts.frozen.services),
    now,
  );
  return {
    input: {
      tier: facts.session.tier,
      report: report.ok ? report.report : null,
      handoffFile: verdictOf(facts, file),
      checks: [...facts.earlierChecks, ...checksIn(facts.events)],
      evidence: evidenceOf(facts),
      budgets: budgetFacts(facts.spending, facts.live.budgets, microsOf(costOf(ledger))),
      cooldowns,
      pauses: facts.pauses,
      snoozes: facts.snoozes,
      acknowledgements: facts.acknowledgements,
      maintenance: facts.maintenance,
    },
    policy: policyOf(facts),
    file,
    cooldownState: cooldowns,
  };
}

function checksIn(events: readonly RunnerEvent[]) {
  return events.filter((event) => event.kind === 'check_result');
}

/** A check counts as failed before the tier only if nothing that the tier did can be why. */
function evidenceOf(facts: SettlementFacts): Evidence {
  const { frozen, events, earlier, earlierChecks, attempt, evidence } = facts;
  const before = earlier.some(({ mayHaveActed }) => mayHaveActed)
    ? []
    : [
        ...earlierChecks,
        ...checksIn(beforeFirstChange(events, attempt.start?.harness ?? frozen.harness)),
      ];
  return {
    provenHealthy: provenHealthy(frozen.services, checksIn(events)),
    failedBefore: unique([...evidence.failedBefore, ...failedServices(before)]),
    signals: evidence.signals,
  };
}

function readFile(facts: SettlementFacts): ParsedHandoff | null {
  const file = facts.result.handoffFile;
  if (file.state !== 'read') return null;
  const parsed = parseHandoff(file.content, facts.session.tier);
  if (!parsed.ok) return parsed;
  const handoff = sanitizeHandoff(parsed.handoff, namesOfServices(facts.frozen.services));
  if (handoff.services_affected.length > 0) return { ok: true, handoff };
  const error = 'services_affected names none of the project’s services';
  return { ok: false, kind: 'invalid', error };
}

function verdictOf(facts: SettlementFacts, file: ParsedHandoff | null): HandoffVerdict {
  const { handoffFile } = facts.result;
  if (handoffFile.state === 'unreadable') return { state: 'unreadable', error: handoffFile.error };
  if (handoffFile.state === 'absent') return { state: 'absent' };
  if (!file) return { state: 'none' };
  if (!file.ok) return { state: file.kind, error: file.error };
  return {
    state: 'valid',
    recommendedTier: file.handoff.recommended_tier,
    services: file.handoff.services_affected,
  };
}

/** Returns the stricter of what the chain froze and what is configured now. */
function policyOf(facts: SettlementFacts): EscalationPolicy {
  const { frozen, live } = facts;
  const tiers: Tier[] = [1, 2, 3];
  return {
    projectName: facts.projectName,
    maxTier: tierSchema.parse(Math.min(frozen.maxTier, live.maxTier)),
    enabledTiers: tiers.filter(
      (tier) => frozen.tiers[tier - 1]?.isEnabled && live.tiers[tier - 1]?.isEnabled,
    ),
    dryRun: {
      project: frozen.dryRun || live.dryRun,
      installation: facts.isDryRunForced,
      chain: facts.chain.isDryRun,
    },
  };
}

function costOf(ledger: readonly BookedLine[]): number {
  return ledger.reduce((sum, line) => sum + line.costUsd, 0);
}
