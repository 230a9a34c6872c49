import type { BookedLine } from '@/lib/agents/booking';
import { budgetFacts } from '@/lib/engine/budget';
import { type ParsedHandoff, parseHandoff } from '@/lib/engine/continuation/handoff/parse';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import type {
  EscalationFacts,
  EscalationPolicy,
  HandoffVerdict,
} from '@/lib/engine/escalation/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { namedServices } from '@/lib/projects/service-names';
import type { ParsedReport } from '@/lib/protocol/report';
import { type Tier, tierSchema } from '@/lib/protocol/spec';
import type { SettlementFacts } from './facts';

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
      checks: [
        ...facts.earlierChecks,
        ...facts.events.filter((event) => event.kind === 'check_result'),
      ],
      budgets: budgetFacts(facts.spending, facts.live.budgets, microsOf(costOf(ledger))),
      cooldowns,
      pauses: facts.pauses,
      snoozes: facts.snoozes,
      inHand: facts.inHand,
      maintenance: facts.maintenance,
    },
    policy: policyOf(facts),
    file,
    cooldownState: cooldowns,
  };
}

function readFile(facts: SettlementFacts): ParsedHandoff | null {
  const file = facts.result.handoffFile;
  return file.state === 'read' ? parseHandoff(file.content, facts.session.tier) : null;
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
