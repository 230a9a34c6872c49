import { told } from '@/lib/agents/attempt-end';
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import {
  affectedServices,
  type CheckFact,
  reportedUnhealthy,
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
 * 2. Anything unhealthy, unresolved or not examined: a person has to look.
 * 3. Otherwise every affected service was healthy, and so is the chain.
 */
export function decideReconciled(facts: ReconciledFacts): Reconciled {
  const { report, startedFor, checks, tier } = facts;
  const unhealthy = unhealthyServices(checks);
  if (report === null) {
    const services = unique([...startedFor, ...unhealthy]);
    return {
      outcome: 'needs_human',
      reason: 'RECONCILE_FAILED',
      services,
      summary: '',
      sentence: told(
        `The observe-only check that followed didn't report. ${facts.failure}`,
        `The current state${services.length > 0 ? ` of ${services.join(', ')}` : ''} isn't known. Check it yourself.`,
      ),
    };
  }
  const broken = brokenServices(report, checks, unhealthy);
  const seen = seenServices(facts, report);
  const unseen = startedFor.filter((name) => !seen.includes(name) && !broken.includes(name));
  if (broken.length > 0 || unseen.length > 0 || seen.length === 0 || isUnresolved(report)) {
    return {
      outcome: 'needs_human',
      reason: 'RECONCILED_UNRESOLVED',
      services: unique([...broken, ...(broken.length > 0 ? unseen : startedFor)]),
      summary: report.summary,
      sentence: told(
        foundSentence(broken, isUnresolved(report)),
        unseen.length > 0 ? `It reported nothing about ${unseen.join(', ')}.` : '',
        report.escalation.wanted ? requestSentence(tier) : '',
      ),
    };
  }
  return {
    outcome: 'healthy',
    reason: 'RECONCILED_HEALTHY',
    services: [],
    summary: report.summary,
    sentence: "An observe-only check found all services healthy. What fixed them isn't known.",
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
    ...ownChecks.map((check) => check.service),
    ...report.services_checked.flatMap(({ name, status }) => (status === 'unknown' ? [] : [name])),
  ]);
}

function isUnresolved(report: TierReport): boolean {
  const isSerious = report.findings.some(({ severity }) => severity !== 'info');
  return report.escalation.wanted || report.resolved === false || isSerious;
}

function foundSentence(broken: readonly string[], hasOpenProblems: boolean): string {
  if (broken.length > 0) return `An observe-only check found problems with ${broken.join(', ')}.`;
  return hasOpenProblems
    ? 'An observe-only check found unresolved problems.'
    : 'An observe-only check found no problems.';
}

function requestSentence(tier: Tier): string {
  return tier === 3
    ? 'It requested a higher tier, and there is none.'
    : `It requested tier ${tier + 1}, which isn't started after an unfinished tier ${tier}.`;
}
