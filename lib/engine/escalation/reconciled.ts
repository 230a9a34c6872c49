import { joinSentences } from '@/lib/agents/attempt-end';
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import {
  affectedServices,
  type CheckFact,
  reportedUnhealthy,
  uncheckedServices,
  unhealthyServices,
  unique,
} from './affected';

export interface ReconciledFacts {
  /** The tier that didn't finish. */
  tier: Tier;
  /** Report of the observe-only attempt; null if it didn't complete with a valid one. */
  report: TierReport | null;
  /** Why there is no report, as one sentence. Unused if there is one. */
  failure: string;
  /** Services that the tier was started for. */
  startedFor: readonly string[];
  /** Every check of the session that the runner ran, oldest first. */
  checks: readonly CheckFact[];
  /** Checks of the observe-only attempt. */
  ownChecks: readonly CheckFact[];
}

interface Reconciled {
  outcome: 'healthy' | 'needs_human';
  reason: 'RECONCILED_HEALTHY' | 'RECONCILED_UNRESOLVED' | 'RECONCILE_FAILED';
  services: readonly string[];
  summary: string;
  /** What the observe-only attempt found. */
  sentence: string;
}

/**
 * Decides how a chain ends after an observe-only attempt examined what an unfinished one left. It
 * never escalates, and the unfinished tier is never credited with a fix.
 *
 * 1. Without a valid report the current state is unknown: a person has to check.
 * 2. Anything unhealthy, unresolved or not examined, also by a check that couldn't run: a person has to
 *    look.
 * 3. Otherwise every affected service was healthy, and so is the chain.
 */
export function decideReconciled(facts: ReconciledFacts): Reconciled {
  const { report, startedFor, checks, ownChecks, tier } = facts;
  const unhealthy = unhealthyServices(checks);
  if (report === null) {
    const services = unique([...startedFor, ...unhealthy]);
    return {
      outcome: 'needs_human',
      reason: 'RECONCILE_FAILED',
      services,
      summary: '',
      sentence: joinSentences(
        `The observe-only attempt that followed didn't report. ${facts.failure}`,
        checkedSentence(ownChecks),
        unknownSentence(services, ownChecks),
      ),
    };
  }
  const broken = brokenServices(report, checks, unhealthy);
  const seen = seenServices(facts, report);
  const unseen = startedFor.filter((name) => !seen.includes(name) && !broken.includes(name));
  const unchecked = without(uncheckedServices(checks), broken);
  const isOpen = broken.length + unseen.length + unchecked.length > 0;
  if (isOpen || seen.length === 0 || isUnresolved(report)) {
    return {
      outcome: 'needs_human',
      reason: 'RECONCILED_UNRESOLVED',
      services: unique([...broken, ...(broken.length > 0 ? unseen : startedFor), ...unchecked]),
      summary: report.summary,
      sentence: joinSentences(
        foundSentence(facts, report, { broken, seen }),
        unseen.length > 0 ? `It reported nothing about ${unseen.join(', ')}.` : '',
        unchecked.length > 0 ? `Some checks of ${unchecked.join(', ')} couldn't run.` : '',
        report.escalation.wanted ? requestSentence(tier) : '',
      ),
    };
  }
  return {
    outcome: 'healthy',
    reason: 'RECONCILED_HEALTHY',
    services: [],
    summary: report.summary,
    sentence: joinSentences(
      checkedSentence(ownChecks, 'An observe-only check'),
      reportedSentence('no problems', without(seen, namesOf(ownChecks))),
      "What fixed this isn't known.",
    ),
  };
}

function brokenServices(
  report: TierReport,
  checks: readonly CheckFact[],
  unhealthy: readonly string[],
): string[] {
  const requested = report.escalation.wanted
    ? affectedServices({ report, fileServices: [], checks })
    : [];
  const serious = report.findings.flatMap(({ service, severity }) =>
    service && severity !== 'info' ? [service] : [],
  );
  return unique([...requested, ...unhealthy, ...reportedUnhealthy(report), ...serious]);
}

/** Returns the services that the observe-only attempt covers, by a check or in its report. */
function seenServices({ ownChecks }: ReconciledFacts, report: TierReport): string[] {
  return unique([
    ...provenNames(ownChecks),
    ...report.services_checked.flatMap(({ name, status }) => (status === 'unknown' ? [] : [name])),
  ]);
}

function isUnresolved(report: TierReport): boolean {
  const isSerious = report.findings.some(({ severity }) => severity !== 'info');
  return report.escalation.wanted || report.resolved === false || isSerious;
}

/** Says of each problem what it rests on: a check of this attempt, an earlier one, or a report. */
function foundSentence(
  { ownChecks, checks }: ReconciledFacts,
  report: TierReport,
  { broken, seen }: { broken: readonly string[]; seen: readonly string[] },
): string {
  const byCheck = unhealthyServices(ownChecks);
  const before = without(unhealthyServices(checks), byCheck);
  if (broken.length > 0) {
    return joinSentences(
      byCheck.length > 0 ? `An observe-only check found problems with ${byCheck.join(', ')}.` : '',
      reportedSentence('problems', without(broken, [...byCheck, ...before])),
      before.length > 0 ? `The last check of ${before.join(', ')} failed and wasn't repeated.` : '',
    );
  }
  if (isUnresolved(report)) return 'An observe-only attempt reported unresolved problems.';
  if (seen.length === 0) return 'An observe-only attempt examined no service.';
  return joinSentences(
    checkedSentence(ownChecks, 'An observe-only check'),
    reportedSentence('no problems', without(seen, namesOf(ownChecks))),
  );
}

/** Returns what the runner's own checks show now; empty if none ran. */
function checkedSentence(ownChecks: readonly CheckFact[], subject = 'Its checks'): string {
  const unhealthy = unhealthyServices(ownChecks);
  const healthy = without(provenNames(ownChecks), unhealthy);
  return joinSentences(
    healthy.length > 0 ? `${subject} found ${healthy.join(', ')} healthy.` : '',
    unhealthy.length > 0 ? `${subject} found ${unhealthy.join(', ')} unhealthy.` : '',
  );
}

function reportedSentence(what: 'problems' | 'no problems', services: readonly string[]): string {
  return services.length > 0
    ? `An observe-only attempt reported ${what} with ${services.join(', ')}, without a check by the runner.`
    : '';
}

function unknownSentence(services: readonly string[], ownChecks: readonly CheckFact[]): string {
  const unknown = without(services, namesOf(ownChecks));
  if (services.length > 0 && unknown.length === 0) {
    return "What the unfinished work left behind isn't known. Check it yourself.";
  }
  const of = unknown.length > 0 ? ` of ${unknown.join(', ')}` : '';
  return `The current state${of} isn't known. Check it yourself.`;
}

/** Returns the services of which every check could run. */
function provenNames(checks: readonly CheckFact[]): string[] {
  return without(namesOf(checks), uncheckedServices(checks));
}

function namesOf(checks: readonly CheckFact[]): string[] {
  return unique(checks.map((check) => check.service));
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function requestSentence(tier: Tier): string {
  return tier === 3
    ? 'It requested a higher tier, and there is none.'
    : `It requested tier ${tier + 1}, which isn't started after an unfinished tier ${tier}.`;
}
