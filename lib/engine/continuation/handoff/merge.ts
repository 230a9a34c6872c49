import { unique } from '@/lib/engine/escalation/affected';
import { isUnmeasured, sameResult } from './build';
import { type Handoff, type HandoffCheck, MAX_CHECK_RESULTS, MAX_SERVICES } from './schema';

interface MergedHandoff {
  handoff: Handoff;
  /** One sentence for an event, if file and report disagree. */
  disagreement: string | null;
}

/**
 * Merges the agent's file with the handoff built from its report: the file decides the request
 * and its own fields, services come from both, and what the file leaves out comes from the report.
 */
export function handoffFromFileAndReport(input: {
  file: Handoff;
  built: Handoff;
  /** `escalation` of the report; null without a report. */
  reportRequest: { wanted: boolean; services: readonly string[] } | null;
  tier: 1 | 2;
}): MergedHandoff {
  const { file, built, reportRequest, tier } = input;
  return {
    handoff: {
      ...file,
      summary: file.summary ?? built.summary,
      escalation_reason: file.escalation_reason ?? built.escalation_reason,
      findings: file.findings?.length ? file.findings : built.findings,
      investigation_findings: file.investigation_findings ?? built.investigation_findings,
      remediation_attempted: file.remediation_attempted ?? built.remediation_attempted,
      // The control plane passes on earlier tiers' reports, not the agent.
      earlier_reports: built.earlier_reports,
      services_affected: unique([
        ...file.services_affected,
        ...(reportRequest?.services ?? []),
      ]).slice(0, MAX_SERVICES),
      check_results: (tier === 2 ? withFileDetails(built, file) : withMeasured(file, built)).slice(
        -MAX_CHECK_RESULTS,
      ),
      // The control plane counts actions itself, and its counts replace the agent's.
      cooldown_state: { ...file.cooldown_state, ...built.cooldown_state },
    },
    disagreement: reportRequest ? disagreement(file, reportRequest, tier) : null,
  };
}

/**
 * Returns the checks of the file with the report's details, then those that only the control plane
 * knows.
 */
function withMeasured(file: Handoff, built: Handoff): HandoffCheck[] {
  const isInFile = (check: HandoffCheck) =>
    isUnmeasured(check)
      ? file.check_results.some(({ service }) => service === check.service)
      : file.check_results.some(sameResult(check));
  const written = file.check_results.map((check) => {
    const same = built.check_results.find(sameResult(check));
    return { ...check, detail: check.detail ?? same?.detail };
  });
  return [...written, ...built.check_results.filter((check) => !isInFile(check))];
}

/**
 * Returns the measured checks with the file's details. Tier 2 copies tier 1's results into its
 * file, so the file can't tell which are newer. It adds details, and services without a result of
 * the control plane.
 */
function withFileDetails(built: Handoff, file: Handoff): HandoffCheck[] {
  const known = built.check_results.map((check) => {
    const same = file.check_results.findLast(sameResult(check));
    return { ...check, detail: same?.detail ?? check.detail };
  });
  const isUnknown = ({ service }: HandoffCheck) =>
    built.check_results.every((check) => check.service !== service || isUnmeasured(check));
  const added = file.check_results.filter(isUnknown);
  const named = new Set(added.map(({ service }) => service));
  return [...known.filter((check) => !(isUnmeasured(check) && named.has(check.service))), ...added];
}

function disagreement(
  file: Handoff,
  request: { wanted: boolean; services: readonly string[] },
  tier: number,
): string | null {
  if (!request.wanted) {
    return `Tier ${tier}'s handoff requests tier ${file.recommended_tier}, its report requests none. The handoff takes precedence.`;
  }
  const missing = request.services.filter((name) => !file.services_affected.includes(name));
  const added = file.services_affected.filter((name) => !request.services.includes(name));
  if (missing.length === 0 && added.length === 0) return null;
  return `Tier ${tier}'s handoff names ${listed(file.services_affected)}, its report ${listed(request.services)}. Both are used.`;
}

function listed(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'no service';
}
