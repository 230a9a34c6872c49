import { buildHandoff, reportedFindings } from '@/lib/engine/continuation/handoff/build';
import { handoffFromFileAndReport } from '@/lib/engine/continuation/handoff/merge';
import type { ParsedHandoff } from '@/lib/engine/continuation/handoff/parse';
import { type CooldownFact, cooldownStateForHandoff } from '@/lib/engine/cooldowns/state';
import type { EscalationDecision } from '@/lib/engine/escalation/schema';
import type { ParsedReport } from '@/lib/protocol/report';
import type { SettlementFacts } from './facts';
import type { SettlementStep } from './plan';

type PlannedHandoff = NonNullable<SettlementStep['handoff']>;

/** Returns whether a handoff of this tier would lack findings. Only then a checkpoint is read. */
export function lacksFindings(report: ParsedReport, tier: number): boolean {
  return tier === 2 && report.ok && reportedFindings(report.report) === undefined;
}

/**
 * Builds the handoff. It is built at every escalation, used or not, so that a fallback can start
 * immediately.
 */
export function handoffOf(
  facts: SettlementFacts,
  decision: EscalationDecision,
  report: ParsedReport,
  file: ParsedHandoff | null,
  cooldowns: readonly CooldownFact[],
): { planned: PlannedHandoff; disagreement: string | null } | null {
  const tier = facts.session.tier;
  if (decision.kind !== 'escalate' || tier === 3) return null;
  const tierReport = report.ok ? report.report : null;
  const built = buildHandoff({
    tier,
    services: decision.services,
    report: tierReport,
    checks: [
      ...facts.earlierChecks,
      ...facts.events.filter((event) => event.kind === 'check_result'),
    ],
    previous: facts.previousHandoff,
    cooldownState: cooldownStateForHandoff(cooldowns),
    checkpoint: facts.checkpoint,
  });
  if (!file?.ok) {
    return {
      planned: { toTier: decision.tier, source: 'built', payload: built },
      disagreement: null,
    };
  }
  const merged = handoffFromFileAndReport({
    file: file.handoff,
    built,
    reportRequest: tierReport?.escalation ?? null,
    tier,
  });
  return {
    planned: { toTier: decision.tier, source: 'file', payload: merged.handoff },
    disagreement: merged.disagreement,
  };
}
