import type { BookedLine } from '@/lib/agents/booking';
import { type ParsedHandoff, parseHandoff } from '@/lib/engine/continuation/handoff/parse';
import { cooldownState } from '@/lib/engine/cooldowns/state';
import type {
  CooldownFact,
  EscalationFacts,
  EscalationPolicy,
  HandoffVerdict,
} from '@/lib/engine/escalation/schema';
import { namedServices } from '@/lib/projects/services/service-names';
import type { ParsedReport } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import type { SettlementFacts } from './facts';

const MICROS = 1_000_000;

/** The facts and the policy of the escalation decision, with what they were made from. */
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
      budgets: budgetsOf(facts, ledger),
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

/** The stricter of what the chain froze and what holds now. */
function policyOf(facts: SettlementFacts): EscalationPolicy {
  const { frozen, live } = facts;
  const tiers: Tier[] = [1, 2, 3];
  return {
    projectName: facts.projectName,
    maxTier: Math.min(frozen.maxTier, live.maxTier) as Tier,
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

function budgetsOf(
  facts: SettlementFacts,
  ledger: readonly BookedLine[],
): EscalationFacts['budgets'] {
  const { spending, live } = facts;
  const own = Math.round(ledger.reduce((sum, line) => sum + line.costUsd, 0) * MICROS);
  const budget = (scope: 'chain' | 'day' | 'month', limitUsd: number | null, spent: number) =>
    limitUsd === null ? [] : [{ scope, spentMicros: spent + own, limitMicros: limitUsd * MICROS }];
  return [
    ...budget('chain', live.budgets.chainUsd, spending.chainMicros),
    ...budget('day', live.budgets.dayUsd, spending.dayMicros),
    ...budget('month', live.budgets.monthUsd, spending.monthMicros),
  ];
}
