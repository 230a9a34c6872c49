import type { Level } from '@/lib/protocol/events';
import { closedGate } from '../start-policy/closed-gate';
import { NOTHING_HOLDS, type StartFacts } from '../start-policy/facts';
import type { ClosedGate, GateCode } from '../start-policy/gate';
import { quietServices } from '../start-policy/request-gates';
import {
  affectedServices,
  reportedUnhealthy,
  uncheckedServices,
  unhealthyServices,
  unique,
} from './affected';
import { fixedServices, openServices } from './claim';
import { type EscalationReason, escalationSentence } from './reasons';
import type { DecisionNote, EscalationDecision, EscalationFacts, EscalationPolicy } from './schema';

/**
 * Decides what follows a completed attempt. Nothing else decides on a next tier.
 *
 * 1. After tier 3 nothing starts, whatever it requests.
 * 2. A handoff file that can't be read or isn't valid ends the chain.
 * 3. Without a request for a higher tier, the chain ends by what was measured and reported.
 * 4. A request needs a service of the project that isn't proven healthy, see `claim.ts`.
 * 5. With such a request, the next tier is the current one plus 1, if no gate is closed.
 */
export function decideEscalation(
  facts: EscalationFacts,
  policy: EscalationPolicy,
  now: Date,
): EscalationDecision {
  if (facts.tier === 3) return afterTier3(facts, policy);
  const file = facts.handoffFile;
  if (file.state === 'unreadable' || file.state === 'invalid') {
    const reason = file.state === 'unreadable' ? 'HANDOFF_UNREADABLE' : 'HANDOFF_INVALID';
    const why = file.state === 'unreadable' ? 'handoff_unreadable' : 'handoff_invalid';
    const services = affected(facts);
    return {
      kind: 'blocked',
      why,
      ...say(reason, 'critical', services, facts, policy, file.error),
    };
  }
  if (!isRequested(facts)) return finish(facts, policy);
  return nextTier(facts.tier, facts, policy, now);
}

/** Returns the chain's outcome for a decision that ends the chain; null if the chain continues. */
export function chainOutcomeOf(
  decision: EscalationDecision,
): 'healthy' | 'findings' | 'fixed' | 'suppressed' | 'needs_human' | 'failed' | null {
  switch (decision.kind) {
    case 'finish':
      return decision.outcome;
    case 'escalate':
      return null;
    case 'suppress':
      return 'suppressed';
    case 'needs_human':
      return 'needs_human';
    case 'blocked':
      return 'failed';
  }
}

// In handoff mode the file decides the request. A missing file must not hide the report's request,
// so it is only noted.
function isRequested(facts: EscalationFacts): boolean {
  return facts.handoffFile.state === 'valid' || facts.report?.escalation.wanted === true;
}

function affected(facts: EscalationFacts): string[] {
  const file = facts.handoffFile;
  const fileServices = file.state === 'valid' ? file.services : [];
  return affectedServices({ report: facts.report, fileServices, checks: facts.checks });
}

function nextTier(
  tier: 1 | 2,
  facts: EscalationFacts,
  policy: EscalationPolicy,
  now: Date,
): EscalationDecision {
  const next = tier === 1 ? 2 : 3;
  const named = affected(facts);
  const notes = requestNotes(facts, next);
  if (named.length === 0) {
    const said = say('NO_SERVICE', 'critical', named, facts, policy, '', notes);
    return { kind: 'needs_human', why: 'no_service', tier: next, ...said };
  }
  const all = openServices(named, facts);
  if (all.length === 0) {
    const said = say('CHECKS_HEALTHY', 'warning', named, facts, policy, '', notes);
    return { kind: 'finish', outcome: 'findings', ...said };
  }
  const gate = closedGate(startFacts(next, all, facts, policy), now);
  if (gate) return held(gate, next, all, facts, policy, notes);
  const quiet = quietServices(facts, now);
  const services = all.filter((name) => !quiet.includes(name));
  return {
    kind: 'escalate',
    tier: next,
    ...say('ESCALATED', 'warning', services, facts, policy, '', notes),
  };
}

function startFacts(
  tier: 2 | 3,
  services: readonly string[],
  { pauses, snoozes, acknowledgements, maintenance, budgets, cooldowns }: EscalationFacts,
  { projectName, maxTier, enabledTiers, dryRun }: EscalationPolicy,
): StartFacts {
  return {
    ...NOTHING_HOLDS,
    ...{
      tier,
      projectName,
      services,
      pauses,
      snoozes,
      acknowledgements,
      maintenance,
      budgets,
      cooldowns,
    },
    ...{ maxTier, enabledTiers },
    isDryRun: dryRun.project || dryRun.installation || dryRun.chain,
  };
}

/** What a closed gate means for the next tier; null: escalations pass it no facts. */
const HELD = {
  SNOOZED: { kind: 'suppress', why: 'snoozed' },
  ACKNOWLEDGED: { kind: 'suppress', why: 'acknowledged' },
  PAUSED: { kind: 'suppress', why: 'paused' },
  MAINTENANCE: { kind: 'suppress', why: 'maintenance' },
  DRY_RUN: { kind: 'suppress', why: 'dry_run' },
  MAX_TIER: { kind: 'needs_human', why: 'max_tier' },
  TIER_DISABLED: { kind: 'needs_human', why: 'max_tier' },
  BUDGET: { kind: 'needs_human', why: 'budget' },
  COOLDOWN: { kind: 'needs_human', why: 'cooldown' },
  CHAIN_RUNNING: null,
  NO_POOL: null,
  // Known only where a runner claims the tier.
  CONFINED_ELSEWHERE: null,
  NOT_CONFINED: null,
  CANARY_PENDING: null,
  CANARY_FAILED: null,
  APPROVAL: null,
  APPROVAL_REFUSED: null,
  APPROVAL_EXPIRED: null,
} as const satisfies Record<GateCode, { kind: 'suppress' | 'needs_human'; why: string } | null>;
type HeldCode = { [Code in GateCode]: (typeof HELD)[Code] extends null ? never : Code }[GateCode];

function isHeld(code: GateCode): code is HeldCode {
  return HELD[code] !== null;
}

/**
 * Returns the decision not to start the next tier, with its reason and whether a person has to act.
 */
function held(
  { code, because }: ClosedGate,
  tier: 2 | 3,
  services: readonly string[],
  facts: EscalationFacts,
  policy: EscalationPolicy,
  notes: readonly DecisionNote[],
): EscalationDecision {
  if (!isHeld(code)) throw new Error(`No escalation decision has the code ${code}.`);
  const end = HELD[code];
  return end.kind === 'suppress'
    ? { ...end, tier, ...say(code, 'info', services, facts, policy, because, notes) }
    : { ...end, tier, ...say(code, 'critical', services, facts, policy, `${because}.`, notes) };
}

function afterTier3(facts: EscalationFacts, policy: EscalationPolicy): EscalationDecision {
  const { report, handoffFile } = facts;
  const isEscalationRequested =
    (handoffFile.state !== 'none' && handoffFile.state !== 'absent') ||
    report?.escalation.wanted === true;
  const end = finishOf(facts);
  // A check that couldn't run doesn't say that the problem is still there.
  const isOpen = end.outcome === 'findings' && end.reason !== 'UNCHECKED';
  const isUnresolved = isEscalationRequested || isOpen;
  if (!isUnresolved) return finish(facts, policy);
  const notes: DecisionNote[] = isEscalationRequested
    ? [
        {
          level: 'warning',
          code: 'NO_TIER_ABOVE_3',
          message: 'Tier 3 requested a higher tier. There is none, so nothing was started.',
        },
      ]
    : [];
  return {
    kind: 'needs_human',
    why: 'tier3_unresolved',
    tier: null,
    ...say('TIER3_UNRESOLVED', 'critical', affected(facts), facts, policy, '', notes),
  };
}

function finish(facts: EscalationFacts, policy: EscalationPolicy): EscalationDecision {
  const { outcome, reason, services } = finishOf(facts);
  const level = outcome === 'findings' || reason === 'FIX_UNPROVEN' ? 'warning' : 'info';
  const decided = say(reason, level, services, facts, policy, '', []);
  return { kind: 'finish', outcome, ...decided };
}

function requestNotes(facts: EscalationFacts, next: 2 | 3): DecisionNote[] {
  const notes: DecisionNote[] = [];
  const { handoffFile: file, tier } = facts;
  if (file.state === 'absent') {
    notes.push({
      level: 'warning',
      code: 'HANDOFF_ABSENT',
      message: `Tier ${tier} wrote no handoff file, but its report requests tier ${next}. The report takes precedence.`,
    });
  }
  if (file.state === 'valid' && file.recommendedTier > next) {
    notes.push({
      level: 'info',
      code: 'TIER_CAPPED',
      message: `Tier ${tier} requested tier ${file.recommendedTier}. The next tier is always the one above, tier ${next}.`,
    });
  }
  const { checks } = facts;
  const isContradicted = unhealthyServices(checks).length + uncheckedServices(checks).length === 0;
  if (checks.length > 0 && isContradicted) {
    notes.push({
      level: 'warning',
      code: 'CLAIM_CONTRADICTED',
      message: `Tier ${tier} requests tier ${next}, although the last check of every service it checked was healthy.`,
    });
  }
  return notes;
}

function say(
  reason: EscalationReason,
  level: Level,
  services: readonly string[],
  facts: EscalationFacts,
  policy: EscalationPolicy,
  detail: string,
  notes: readonly DecisionNote[] = [],
) {
  const sentence = escalationSentence(reason, {
    tier: facts.tier,
    nextTier: facts.tier + 1,
    maxTier: policy.maxTier,
    project: policy.projectName,
    services,
    detail,
  });
  return { reason, level, services, sentence, notes };
}

interface Finish {
  outcome: 'healthy' | 'findings' | 'fixed';
  reason: EscalationReason;
  services: string[];
}

/**
 * Returns how a chain ends that isn't escalated. The last measurements outweigh the report: "fixed"
 * with a failing check is `findings`, and so is "healthy" with a check that couldn't run. A fix of what
 * nothing showed to be broken is `healthy`.
 */
function finishOf(facts: EscalationFacts): Finish {
  const { report } = facts;
  const measured = unhealthyServices(facts.checks);
  if (!report) return findings('REPORT_MISSING', measured);
  const reported = reportedUnhealthy(report);
  const isClaimedWell = report.resolved === true || reported.length === 0;
  if (measured.length > 0) {
    return findings(isClaimedWell ? 'CLAIM_CONTRADICTED' : 'FINDINGS', measured);
  }
  if (facts.tier > 1 && report.resolved === false) {
    return findings('NOT_RESOLVED', reported);
  }
  const hasActed = report.actions_taken.length > 0;
  const unchecked = uncheckedServices(facts.checks);
  const isFixed = report.resolved === true || (hasActed && reported.length === 0);
  if (facts.tier > 1 && isFixed && unchecked.length === 0) {
    const fixed = fixedServices(actedOn(facts), facts);
    return fixed.length > 0
      ? { outcome: 'fixed', reason: 'FIXED', services: fixed }
      : { outcome: 'healthy', reason: 'FIX_UNPROVEN', services: actedOn(facts) };
  }
  if (reported.length > 0) return findings('FINDINGS', reported);
  const serious = report.findings.filter((finding) => finding.severity !== 'info');
  if (serious.length > 0) {
    const named = serious.flatMap((finding) => (finding.service ? [finding.service] : []));
    return findings('FINDINGS', unique(named));
  }
  if (unchecked.length > 0) return findings('UNCHECKED', unchecked);
  return {
    outcome: 'healthy',
    reason: facts.tier === 1 ? 'ALL_HEALTHY' : 'RECOVERED',
    services: [],
  };
}

function actedOn(facts: EscalationFacts): string[] {
  return unique((facts.report?.actions_taken ?? []).map((action) => action.service));
}

function findings(reason: EscalationReason, services: string[]): Finish {
  return { outcome: 'findings', reason, services };
}
