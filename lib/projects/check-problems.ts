/** What is wrong with checks, by the path of the field. */

import type { Fields, Problems } from '@/lib/protocol/checks/check-kind';
import { rulesOf, shownCheck } from '@/lib/protocol/checks/describe-check';
import { CHECK_KINDS, type CheckType } from '@/lib/protocol/checks/kinds';
import { type CheckSpec, checkIntervalSeconds, type ServiceSpec } from '@/lib/protocol/spec';
import { harmProblem } from './command-check';
import { fieldLabel } from './difference';
import type { MonitoringSettings } from './monitoring-settings';

const COMMON = ['type', 'target', 'timeoutSeconds'];

/** The checks of a project, and how often they run without an agent. */
interface Checked {
  services: readonly ServiceSpec[];
  /** Absent, or null seconds: in chains only. */
  monitoring?: Pick<MonitoringSettings, 'everySeconds'>;
}

/**
 * Returns what is wrong with the checks of a project, by path, such as `services.0.checks.1.target`. A
 * check that was saved as it is stays valid, whatever is required since; its timeout only with the
 * interval that it was saved with, and a heartbeat only with a name of its own.
 */
export function checkProblems(
  { services, monitoring }: Checked,
  before: Checked = { services: [] },
): Problems {
  const usual = monitoring?.everySeconds ?? null;
  const usualBefore = before.monitoring?.everySeconds ?? null;
  const savedChecks = before.services.flatMap(({ checks }) => checks);
  const saved = new Set(savedChecks.map(contentOf));
  const savedTimes = new Set(savedChecks.map((check) => timesOf(check, usualBefore)));
  const problems: Problems = {};
  services.forEach(({ checks }, service) => {
    const known = new Set<string>();
    checks.forEach((check, at) => {
      const path = `services.${service}.checks.${at}`;
      const identity = `${check.type} ${shownCheck(check)}`;
      if (check.type === 'heartbeat' && known.has(identity)) {
        problems[`${path}.target`] = SAME_PING_CHECK;
        return;
      }
      if (saved.has(contentOf(check))) {
        known.add(identity);
        if (!savedTimes.has(timesOf(check, usual))) {
          const { timeoutSeconds } = timeProblems(check, usual);
          if (timeoutSeconds) problems[`${path}.timeoutSeconds`] = timeoutSeconds;
        }
        return;
      }
      for (const [field, text] of Object.entries(problemsOfCheck(check, usual))) {
        problems[`${path}.${field}`] = text;
      }
      if (known.has(identity)) {
        problems[`${path}.target`] ??=
          'This service has this check already. Combine the two, or remove one.';
      }
      known.add(identity);
    });
  });
  return problems;
}

/** Saved ones, too: which of the two URLs belongs to which job would depend on their order. */
const SAME_PING_CHECK =
  'This service has a heartbeat of this name already, and a name has one URL. Choose another name.';

/**
 * Returns what is wrong with one check, by field.
 *
 * @param usual seconds between two runs of a check that has no interval of its own; null: in chains only
 */
export function problemsOfCheck(check: CheckSpec, usual: number | null = null): Problems {
  const foreign = Object.entries(check).flatMap(([field, value]) =>
    value === undefined || isFieldOf(check.type, field) ? [] : [field],
  );
  return {
    ...Object.fromEntries(
      foreign.map((field) => [
        field,
        `Checks of the type ${check.type} have no field “${fieldLabel({}, field)}”. Remove it.`,
      ]),
    ),
    ...timeProblems(check, usual),
    ...rulesOf(check.type).problems?.(check, harmProblem),
  };
}

function isFieldOf(type: CheckType, field: string): boolean {
  const { fields, isReceived }: { fields: Fields; isReceived?: boolean } = CHECK_KINDS[type];
  if (field === 'everySeconds') return !isReceived;
  return COMMON.includes(field) || Object.hasOwn(fields, field);
}

function timeProblems(check: CheckSpec, usual: number | null): Problems {
  const interval = checkIntervalSeconds(check, usual);
  if (CHECK_KINDS[check.type].isReceived || check.timeoutSeconds < interval) return {};
  const ofProject = usual === null ? 'the default interval' : 'the project’s interval';
  const which = check.everySeconds === undefined ? ofProject : 'its interval';
  return {
    timeoutSeconds: `The timeout must be below ${which} of ${interval} s, so that one execution ends before the next.`,
  };
}

/** What a timeout is judged by: content and effective interval. */
function timesOf(check: CheckSpec, usual: number | null): string {
  return `${contentOf(check)} ${checkIntervalSeconds(check, usual)}`;
}

/** The content of a check, whatever the order of its fields. */
function contentOf(check: CheckSpec): string {
  const entries = Object.entries(check).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.toSorted(([one], [other]) => one.localeCompare(other)));
}
