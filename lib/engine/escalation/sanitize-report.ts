/** Turns what an agent reports into data that decisions, prompts and messages may use. Pure. */

import { cutText } from '@/lib/platform/format/text';
import { onOneLine, withoutHidden } from '@/lib/platform/format/visible-text';
import type { ParsedReport, TierReport } from '@/lib/protocol/report';

type Finding = TierReport['findings'][number];

/** Of each list, as the report's schema allows. */
const MAX_ENTRIES = 200;
const MAX_NAME_CHARS = 60;
const MAX_TEXT_CHARS = 4_000;

/**
 * Returns a report that names only services of the project. What it says about others becomes the text of
 * a finding without a service, so that people still read it. Its summary and its reason are one line each,
 * since messages, approvals and statuses show them; no text holds control characters.
 *
 * @param services names of the project's services
 */
export function sanitizeReport(parsed: ParsedReport, services: readonly string[]): ParsedReport {
  return parsed.ok ? { ok: true, report: sanitized(parsed.report, services) } : parsed;
}

function sanitized(report: TierReport, services: readonly string[]): TierReport {
  const isKnown = (name: string) => services.includes(name);
  const { services_checked, findings, escalation, actions_taken } = report;
  const checked = services_checked.filter(({ name }) => isKnown(name));
  const actions = actions_taken.filter(({ service }) => isKnown(service));
  return {
    ...report,
    // Who writes the handoff takes a blank for no summary; the schema wants a character.
    summary: onOneLine(report.summary) || ' ',
    services_checked: checked.map((one) => ({ ...one, detail: withoutHidden(one.detail) })),
    findings: [
      ...findings.map((finding) => namingKnown(finding, isKnown)),
      ...services_checked.filter(({ name }) => !isKnown(name)).map(aboutStranger),
      ...actions_taken.filter(({ service }) => !isKnown(service)).map(actionOnStranger),
    ].slice(0, MAX_ENTRIES),
    escalation: {
      ...escalation,
      reason: onOneLine(escalation.reason),
      services: escalation.services.filter(isKnown),
    },
    actions_taken: actions.map((one) => ({
      ...one,
      command: withoutHidden(one.command),
      outcome: withoutHidden(one.outcome),
    })),
    ...proseOf(report),
  };
}

const NO_TEXT = 'No text.';

function proseOf({ investigation_findings, remediation_attempted }: TierReport) {
  return {
    ...(investigation_findings === undefined
      ? {}
      : { investigation_findings: withoutHidden(investigation_findings) }),
    ...(remediation_attempted === undefined
      ? {}
      : { remediation_attempted: withoutHidden(remediation_attempted) }),
  };
}

function namingKnown(finding: Finding, isKnown: (name: string) => boolean): Finding {
  const { service, ...rest } = finding;
  const message = withoutHidden(finding.message).trim() || NO_TEXT;
  if (service === undefined) return { ...rest, message };
  if (isKnown(service)) return { ...rest, service, message };
  return { ...rest, message: about(service, message) };
}

function aboutStranger({ name, status, detail }: TierReport['services_checked'][number]): Finding {
  const isProblem = status === 'degraded' || status === 'down';
  const message = about(name, [status, withoutHidden(detail)].join('. '));
  return { severity: isProblem ? 'warning' : 'info', message };
}

function actionOnStranger(done: TierReport['actions_taken'][number]): Finding {
  const text = [done.action, onOneLine(done.command), onOneLine(done.outcome)].join('. ');
  return { severity: 'info', message: about(done.service, text) };
}

function about(name: string, text: string): string {
  return cutText(`${strangerName(name)}: ${text}`, MAX_TEXT_CHARS);
}

/** A name that isn't one of the project's services, as people may read it. */
export function strangerName(name: string): string {
  return `“${cutText(onOneLine(name), MAX_NAME_CHARS)}” (not a service of the project)`;
}
