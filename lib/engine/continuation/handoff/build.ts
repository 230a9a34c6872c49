import {
  type CheckFact,
  isPerformed,
  latestChecks,
  type PerformedCheck,
  unique,
} from '@/lib/engine/escalation/affected';
import type { TierReport } from '@/lib/protocol/report';
import {
  type EarlierReport,
  HANDOFF_CHECK_TYPES,
  HANDOFF_VERSION,
  type Handoff,
  type HandoffCheck,
  type HandoffFinding,
  handoffSchema,
  MAX_CHECK_RESULTS,
  MAX_SERVICES,
} from './schema';

export interface HandoffFacts {
  /** The tier that hands over. */
  tier: 1 | 2;
  /** Services of the escalation decision, at least one. */
  services: readonly string[];
  report: TierReport | null;
  /** Checks that the runner ran in this session, oldest first. */
  checks: readonly CheckFact[];
  /** The handoff that this session received. Tier 2 passes its check results on. */
  previous: Handoff | null;
  cooldownState: Record<string, unknown>;
  /** The newest checkpoint of tier 2, if its report has no findings. */
  checkpoint: CheckpointNote | null;
}

export interface CheckpointNote {
  digest: string;
  at: Date;
}

/** Maximum length of a digest in a handoff. */
const MAX_CHECKPOINT_CHARS = 1_000;

/**
 * Builds the handoff of an escalation, whatever its mechanism. The result is always valid: if the
 * agent reported too little, the handoff says so instead of leaving a required field out.
 */
export function buildHandoff(facts: HandoffFacts): Handoff {
  const { report, tier } = facts;
  return handoffSchema.parse({
    schema_version: HANDOFF_VERSION,
    recommended_tier: tier === 1 ? 2 : 3,
    services_affected: unique(facts.services).slice(0, MAX_SERVICES),
    summary: nonEmpty(report?.summary),
    escalation_reason: nonEmpty(report?.escalation.reason),
    findings: nonEmptyList(findingsOf(facts)),
    check_results: checkResults(facts).slice(-MAX_CHECK_RESULTS),
    cooldown_state: facts.cooldownState,
    ...(tier === 2
      ? tier2Texts(facts)
      : { investigation_findings: nonEmpty(report?.investigation_findings) }),
    earlier_reports: nonEmptyList(earlierReports(facts)),
  });
}

/**
 * Returns every finding of the report, its text about a service whose status it couldn't determine, and
 * the checks that couldn't run: the handoff's schema has results of performed checks only.
 */
function findingsOf({ report, tier, checks }: HandoffFacts): HandoffFinding[] {
  const unclear = (report?.services_checked ?? []).flatMap((service): HandoffFinding[] => {
    const detail = nonEmpty(service.detail);
    if (service.status !== 'unknown' || !detail) return [];
    const message = `Tier ${tier} couldn't tell the status: ${detail}`;
    return [{ service: service.name, severity: 'info', message }];
  });
  const reported = (report?.findings ?? []).flatMap((finding): HandoffFinding[] => {
    const message = nonEmpty(finding.message);
    return message ? [{ ...finding, message }] : [];
  });
  const unperformed = latestChecks(checks).flatMap((check): HandoffFinding[] => {
    if (isPerformed(check)) return [];
    const message = `The check ${check.type} ${check.target} couldn't run: ${check.error}`;
    return [{ service: check.service, severity: 'info', message }];
  });
  return [...reported, ...unclear, ...unperformed];
}

/**
 * Returns the reports that the sender received itself, because the next tier reads only one
 * handoff.
 */
function earlierReports({ previous, tier }: HandoffFacts): EarlierReport[] {
  if (!previous || tier === 1) return [];
  const { summary, escalation_reason, findings } = previous;
  const earlier = previous.earlier_reports ?? [];
  if (!summary && !escalation_reason && !findings) return earlier;
  return [...earlier, { tier: tier - 1, summary, escalation_reason, findings }];
}

/** Returns the handoff's type for a check; its schema has no words for most of ours. */
export function handoffCheckType(type: string | undefined): HandoffCheck['check_type'] {
  return HANDOFF_CHECK_TYPES.find((known) => known === type) ?? 'service';
}

function checkResults(facts: HandoffFacts): HandoffCheck[] {
  const reported = facts.report?.services_checked ?? [];
  const measured = withDetails(
    latestChecks(facts.checks).filter(isPerformed).map(toHandoffCheck),
    reported,
    facts.tier,
  );
  const previous = facts.previous?.check_results ?? [];
  const named = new Set(measured.map((check) => check.service));
  const claimed = reported
    .filter((service) => !named.has(service.name))
    .flatMap((service) => claimedCheck(service, facts.tier));
  // Later entries are newer, so a result that repeats an earlier one adds nothing.
  const added = [...measured, ...claimed].filter(
    (check) => !previous.some((before) => sameResult(check)(before) && addsNoDetail(check, before)),
  );
  const results = [...previous, ...added];
  return results.length > 0 ? results : facts.services.map((name) => unmeasured(name, facts.tier));
}

function toHandoffCheck(check: PerformedCheck): HandoffCheck {
  return {
    service: check.service,
    check_type: handoffCheckType(check.type),
    status: check.status,
    error: check.error,
    ...(check.responseTimeMs === null ? {} : { response_time_ms: check.responseTimeMs }),
  };
}

type CheckedService = TierReport['services_checked'][number];

/** Adds what the report says about a measured service to the check that it fits best. */
function withDetails(
  measured: readonly HandoffCheck[],
  reported: readonly CheckedService[],
  tier: number,
): HandoffCheck[] {
  const details = new Map<HandoffCheck, string[]>();
  for (const service of reported) {
    const check = describedCheck(measured, service);
    const detail = nonEmpty(service.detail);
    if (!check || !detail || detail === check.error) continue;
    const isContradiction = service.status !== check.status && service.status !== 'unknown';
    const text = isContradiction ? `Tier ${tier} reported ${service.status}: ${detail}` : detail;
    details.set(check, [...(details.get(check) ?? []), text]);
  }
  return measured.map((check) => {
    const texts = details.get(check);
    return texts ? { ...check, detail: texts.join('\n') } : check;
  });
}

/**
 * Returns the check of a service that a report describes: the one with the reported type and
 * status, else with one of them, else the last.
 */
function describedCheck(
  measured: readonly HandoffCheck[],
  service: CheckedService,
): HandoffCheck | undefined {
  const own = measured.filter((check) => check.service === service.name);
  const isOfType = (check: HandoffCheck) =>
    service.check_type !== undefined && check.check_type === handoffCheckType(service.check_type);
  const isOfStatus = (check: HandoffCheck) => check.status === service.status;
  return (
    own.find((check) => isOfType(check) && isOfStatus(check)) ??
    own.find(isOfStatus) ??
    own.find(isOfType) ??
    own.at(-1)
  );
}

export function sameResult(check: HandoffCheck): (other: HandoffCheck) => boolean {
  return (other) =>
    other.service === check.service &&
    other.check_type === check.check_type &&
    other.status === check.status &&
    other.error === check.error;
}

function addsNoDetail(check: HandoffCheck, before: HandoffCheck): boolean {
  return check.detail === undefined || check.detail === before.detail;
}

function claimedCheck(service: CheckedService, tier: number): HandoffCheck[] {
  if (service.status === 'unknown') return [];
  const isHealthy = service.status === 'healthy';
  return [
    {
      service: service.name,
      check_type: handoffCheckType(service.check_type),
      status: service.status,
      error: isHealthy ? '' : `${service.detail} (reported by tier ${tier}, not measured)`.trim(),
      detail: isHealthy ? nonEmpty(service.detail) : undefined,
    },
  ];
}

const UNMEASURED = 'asked for help with this service and gave no check result.';

function unmeasured(service: string, tier: number): HandoffCheck {
  return {
    service,
    check_type: 'service',
    status: 'degraded',
    error: `Tier ${tier} ${UNMEASURED}`,
  };
}

/** Returns whether a check is the placeholder for a service of which nothing is known. */
export function isUnmeasured(check: HandoffCheck): boolean {
  return check.error.endsWith(UNMEASURED);
}

/** Returns what a report says about its findings; undefined if it says nothing. */
export function reportedFindings(report: TierReport | null): string | undefined {
  return (
    nonEmpty(report?.investigation_findings) ??
    nonEmpty((report?.findings ?? []).map((finding) => finding.message).join('\n')) ??
    nonEmpty(report?.summary)
  );
}

function checkpointWords(checkpoint: CheckpointNote | null): string | undefined {
  const digest = nonEmpty(checkpoint?.digest);
  if (!checkpoint || !digest) return undefined;
  const isLong = digest.length > MAX_CHECKPOINT_CHARS;
  const text = isLong ? `${digest.slice(0, MAX_CHECKPOINT_CHARS).toWellFormed()} [cut]` : digest;
  return `Tier 2 reported no findings. Its checkpoint of ${checkpoint.at.toISOString()} says:\n${text}`;
}

function tier2Texts({ report, checkpoint }: HandoffFacts) {
  const actions = (report?.actions_taken ?? []).map(
    (action) => `${action.service}: ${action.command} (${action.outcome})`,
  );
  return {
    investigation_findings:
      reportedFindings(report) ?? checkpointWords(checkpoint) ?? 'Tier 2 reported no findings.',
    remediation_attempted:
      nonEmpty(report?.remediation_attempted) ??
      nonEmpty(actions.join('\n')) ??
      'Tier 2 reported no remediation.',
  };
}

function nonEmptyList<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length > 0 ? list : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed ? trimmed : undefined;
}
