import { type CheckFact, latestChecks, unique } from '../../escalation/affected';
import type { ReportedStatus, TierReport } from '../../escalation/report';
import type { CheckType } from '../../runner-protocol/spec';
import {
  HANDOFF_VERSION,
  type Handoff,
  type HandoffCheck,
  handoffSchema,
  MAX_CHECK_RESULTS,
  MAX_SERVICES,
} from './schema';

export interface HandoffFacts {
  /** The tier that ends now. */
  tier: 1 | 2;
  /** As the escalation decision names them; at least one. */
  services: readonly string[];
  report: TierReport | null;
  /** What the runner measured in this session, oldest first. */
  checks: readonly CheckFact[];
  /** The handoff that this session itself was given; tier 2 passes its check results on. */
  previous: Handoff | null;
  cooldownState: Record<string, unknown>;
  /** What tier 2 last knew, where its report says nothing of what it found. */
  checkpoint: CheckpointNote | null;
}

export interface CheckpointNote {
  digest: string;
  at: Date;
}

/** Of a digest, in a handoff. */
const MAX_CHECKPOINT_CHARS = 1_000;

/**
 * The handoff of an escalation, whatever the hop's mechanism. It is always valid: where the
 * agent said too little, it says so instead of leaving a field out.
 */
export function buildHandoff(facts: HandoffFacts): Handoff {
  return handoffSchema.parse({
    schema_version: HANDOFF_VERSION,
    recommended_tier: facts.tier === 1 ? 2 : 3,
    services_affected: unique(facts.services).slice(0, MAX_SERVICES),
    check_results: checkResults(facts).slice(-MAX_CHECK_RESULTS),
    cooldown_state: facts.cooldownState,
    ...(facts.tier === 2 ? tier2Texts(facts) : {}),
  });
}

/** tcp and process are checks of ours that the schema has no word for. */
export function handoffCheckType(type: string | undefined): HandoffCheck['check_type'] {
  const known: Partial<Record<CheckType, HandoffCheck['check_type']>> = {
    http: 'http',
    dns: 'dns',
    container: 'container',
    database: 'database',
  };
  return known[type as CheckType] ?? 'service';
}

function checkResults(facts: HandoffFacts): HandoffCheck[] {
  const measured = latestChecks(facts.checks).map(toHandoffCheck);
  const previous = facts.previous?.check_results ?? [];
  // Later entries are newer, so a result that says the same as before adds nothing.
  const known = [...previous, ...measured.filter((check) => !previous.some(sameResult(check)))];
  const named = new Set(known.map((check) => check.service));
  const claimed = (facts.report?.services_checked ?? [])
    .filter((service) => !named.has(service.name))
    .flatMap((service) => claimedCheck(service, facts.tier));
  const results = [...known, ...claimed];
  return results.length > 0 ? results : facts.services.map((name) => unmeasured(name, facts.tier));
}

function toHandoffCheck(check: CheckFact): HandoffCheck {
  return {
    service: check.service,
    check_type: handoffCheckType(check.type),
    status: check.status,
    error: check.error,
    ...(check.responseTimeMs === null ? {} : { response_time_ms: check.responseTimeMs }),
  };
}

export function sameResult(check: HandoffCheck): (other: HandoffCheck) => boolean {
  return (other) =>
    other.service === check.service &&
    other.check_type === check.check_type &&
    other.status === check.status &&
    other.error === check.error;
}

function claimedCheck(
  service: { name: string; check_type?: CheckType; status: ReportedStatus; detail: string },
  tier: number,
): HandoffCheck[] {
  if (service.status === 'unknown') return [];
  return [
    {
      service: service.name,
      check_type: handoffCheckType(service.check_type),
      status: service.status,
      error:
        service.status === 'healthy'
          ? ''
          : `${service.detail} (reported by tier ${tier}, not measured)`.trim(),
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

/** Stands where nothing is known about a service that a tier wants help with. */
export function isUnmeasured(check: HandoffCheck): boolean {
  return check.error.endsWith(UNMEASURED);
}

/** What a report says of what was found; undefined where it says nothing. */
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

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed ? trimmed : undefined;
}
