import { reportedUnhealthy, unhealthyServices, unique } from './affected';
import type { EscalationReason } from './reasons';
import type { EscalationFacts } from './schema';

interface Finish {
  outcome: 'healthy' | 'findings' | 'fixed';
  reason: EscalationReason;
  services: string[];
}

/**
 * Returns how a chain ends that isn't escalated. The last measurements outweigh the report: "fixed"
 * with a failing check is `findings`.
 */
export function finishOf(facts: EscalationFacts): Finish {
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
  if (facts.tier > 1 && (report.resolved === true || (hasActed && reported.length === 0))) {
    return { outcome: 'fixed', reason: 'FIXED', services: actedOn(facts) };
  }
  if (reported.length > 0) return findings('FINDINGS', reported);
  const serious = report.findings.filter((finding) => finding.severity !== 'info');
  if (serious.length > 0) {
    const named = serious.flatMap((finding) => (finding.service ? [finding.service] : []));
    return findings('FINDINGS', unique(named));
  }
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
