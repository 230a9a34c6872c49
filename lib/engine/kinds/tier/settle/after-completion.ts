import type { BookedLine } from '@/lib/agents/booking';
import { chainOutcomeOf, decideEscalation } from '@/lib/engine/escalation/decide';
import type { EscalationDecision } from '@/lib/engine/escalation/schema';
import type { ParsedReport } from '@/lib/protocol/report';
import { escalationInput } from './escalation-input';
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
