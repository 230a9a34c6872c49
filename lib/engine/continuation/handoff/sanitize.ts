import { strangerName } from '@/lib/engine/escalation/sanitize-report';
import { onOneLine, withoutHidden } from '@/lib/platform/format/visible-text';
import { type Handoff, type HandoffFinding, handoffSchema } from './schema';

/**
 * Reads a stored handoff.
 *
 * @param services names of the project's services
 * @throws ZodError if it is no handoff
 */
export function readHandoff(payload: unknown, services: readonly string[]): Handoff {
  return sanitizeHandoff(handoffSchema.parse(payload), services);
}

/**
 * Returns a handoff that names only services of the project, without control characters. What it says about
 * others becomes the text of a finding.
 *
 * @param services names of the project's services
 */
export function sanitizeHandoff(handoff: Handoff, services: readonly string[]): Handoff {
  const isKnown = (name: string) => services.includes(name);
  const optional = (text: string | undefined) => (text && withoutHidden(text).trim()) || undefined;
  const line = (text: string | undefined) => (text && onOneLine(text)) || undefined;
  const findings = (list: readonly HandoffFinding[] | undefined) =>
    list?.flatMap((finding) => namingKnown(finding, isKnown));
  const { summary, escalation_reason, check_results, earlier_reports } = handoff;
  return {
    ...handoff,
    services_affected: handoff.services_affected.filter(isKnown),
    summary: line(summary),
    escalation_reason: line(escalation_reason),
    findings: findings(handoff.findings),
    check_results: check_results
      .filter(({ service }) => isKnown(service))
      .map((check) => ({
        ...check,
        error: withoutHidden(check.error),
        detail: optional(check.detail),
      })),
    investigation_findings: optional(handoff.investigation_findings),
    remediation_attempted: optional(handoff.remediation_attempted),
    earlier_reports: earlier_reports?.map((report) => ({
      ...report,
      summary: line(report.summary),
      escalation_reason: line(report.escalation_reason),
      findings: findings(report.findings),
    })),
  };
}

function namingKnown(
  finding: HandoffFinding,
  isKnown: (name: string) => boolean,
): HandoffFinding[] {
  const { service, ...rest } = finding;
  const message = withoutHidden(finding.message).trim();
  if (message === '') return [];
  if (service === undefined || isKnown(service)) return [{ ...finding, message }];
  return [{ ...rest, message: `${strangerName(service)}: ${message}` }];
}
