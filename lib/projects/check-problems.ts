/** What is wrong with checks, by the path of the field. */

import { DEFAULT_FAIL_DAYS, DEFAULT_WARN_DAYS } from '@/lib/protocol/check-kinds';
import { parseArgv } from '@/lib/protocol/checks/argv';
import { parseJsonPath } from '@/lib/protocol/checks/json-path';
import { isResolver } from '@/lib/protocol/checks/resolver';
import { parseHostPort, parseTlsTarget, shownCheck } from '@/lib/protocol/checks/target';
import {
  type CheckSpec,
  type CheckType,
  checkIntervalSeconds,
  type ServiceSpec,
} from '@/lib/protocol/spec';
import { CHECK_FIELDS } from './check-kind-fields';
import { harmProblem } from './command-check';
import { fieldLabel } from './field-labels';
import type { MonitoringSettings } from './monitoring-settings';

type Field = keyof CheckSpec;
type Problems = Record<string, string>;

const COMMON: readonly Field[] = ['type', 'target', 'timeoutSeconds'];

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
        problems[`${path}.target`] = SAME_HEARTBEAT;
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
const SAME_HEARTBEAT =
  'This service has a heartbeat of this name already, and a name has one URL. Choose another name.';

/**
 * Returns what is wrong with one check, by field.
 *
 * @param usual seconds between two runs of a check that has no interval of its own; null: in chains only
 */
export function problemsOfCheck(check: CheckSpec, usual: number | null = null): Problems {
  const foreign = Object.entries(check).flatMap(([field, value]) =>
    value === undefined || isFieldOf(check.type, field as Field) ? [] : [field],
  );
  return {
    ...Object.fromEntries(
      foreign.map((field) => [
        field,
        `Checks of the type ${check.type} have no field “${fieldLabel(field)}”. Remove it.`,
      ]),
    ),
    ...timeProblems(check, usual),
    ...KINDS[check.type](check),
  };
}

function isFieldOf(type: CheckType, field: Field): boolean {
  if (field === 'everySeconds') return type !== 'heartbeat';
  return COMMON.includes(field) || CHECK_FIELDS[type].includes(field);
}

function timeProblems(check: CheckSpec, usual: number | null): Problems {
  const interval = checkIntervalSeconds(check, usual);
  if (check.type === 'heartbeat' || check.timeoutSeconds < interval) return {};
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

const KINDS: Record<CheckType, (check: CheckSpec) => Problems> = {
  http: (check) => ({
    ...problem(
      'target',
      isHttpUrl(check.target),
      'Enter a full URL, such as https://shop.example/health.',
    ),
    ...httpProblems(check),
  }),
  tls: ({ target, serverName, warnDays, failDays }) => ({
    ...problem(
      'target',
      parseTlsTarget(target) !== null,
      'Enter a host or a host and port, such as shop.example or mail.example:993.',
    ),
    ...problem(
      'serverName',
      serverName === undefined || isHostName(serverName),
      'Enter a host name.',
    ),
    ...problem(
      'failDays',
      (failDays ?? DEFAULT_FAIL_DAYS) <= (warnDays ?? DEFAULT_WARN_DAYS),
      `Enter at most the ${warnDays ?? DEFAULT_WARN_DAYS} days below which the check is degraded.`,
    ),
  }),
  tcp: ({ target }) =>
    problem('target', parseHostPort(target) !== null, 'Enter a host and port, such as db-1:5432.'),
  dns: ({ target, resolver }) => ({
    ...problem(
      'target',
      isDnsName(target),
      'Enter a name without a port or path, such as shop.example.',
    ),
    ...problem(
      'resolver',
      resolver === undefined || isResolver(resolver),
      'Enter the IP address of a name server, such as 1.1.1.1 or 1.1.1.1:5353.',
    ),
  }),
  database: ({ target }) =>
    problem(
      'target',
      /^(?:postgres(?:ql)?|mysql|mariadb|redis):\/\//i.test(target) && URL.canParse(target),
      'Enter a postgres://, mysql:// or redis:// URL, such as postgres://db-1:5432.',
    ),
  container: () => ({}),
  service: () => ({}),
  process: () => ({}),
  prometheus: ({ target, query, operator, threshold }) => ({
    ...problem(
      'target',
      isHttpUrl(target),
      'Enter the URL of a Prometheus server, such as http://prometheus:9090.',
    ),
    ...problem('query', Boolean(query?.trim()), 'Enter a query, such as up{job="shop"}.'),
    ...problem(
      'operator',
      operator !== undefined,
      'Choose how the value compares with the threshold.',
    ),
    ...problem(
      'threshold',
      threshold !== undefined,
      'Enter the number that the value is compared with.',
    ),
  }),
  command: commandProblems,
  heartbeat: ({ target }) =>
    problem(
      'target',
      /^[A-Za-z0-9][\w .-]{0,59}$/.test(target),
      'Enter a name of at most 60 letters, digits, spaces, dots, hyphens and underscores.',
    ),
};

function problem(field: Field, isFine: boolean, text: string): Problems {
  return isFine ? {} : { [field]: text };
}

function commandProblems({ target, isAllowedByOwner }: CheckSpec): Problems {
  const parsed = parseArgv(target);
  if (!parsed.ok) return { target: parsed.problem };
  const harm = isAllowedByOwner ? null : harmProblem(target);
  return harm === null
    ? {}
    : { target: `${harm} Use one that is, or have an owner of the organization allow it.` };
}

/** Headers that the request itself decides. */
const OWN_HEADERS =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
const SECRET_HEADERS = /auth|cookie|credential|key|passw|secret|session|signature|token/i;

function httpProblems(check: CheckSpec): Problems {
  const { method, expectText, expectJson, headers = [], redirectHosts = [] } = check;
  const hasBody = method !== 'HEAD';
  const noBody = 'A HEAD request gets no body. Use GET, or leave this empty.';
  const wrongHost = redirectHosts.find((host) => !isHostName(host));
  const wrongHeader = headers.map(headerProblem).find((text) => text !== null);
  return {
    ...problem('expectText', hasBody || expectText === undefined, noBody),
    ...problem('expectJson', hasBody || expectJson === undefined, noBody),
    ...(hasBody && expectJson ? jsonProblems(expectJson) : {}),
    ...problem(
      'redirectHosts',
      wrongHost === undefined,
      `“${wrongHost}” is not a host name. Enter names without https:// and paths.`,
    ),
    ...(wrongHeader ? { headers: wrongHeader } : {}),
  };
}

function headerProblem({ name, value }: { name: string; value: string }): string | null {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return `“${name}” is not a header name.`;
  if (OWN_HEADERS.test(name)) return `The header ${name} is set by the request itself. Remove it.`;
  if (SECRET_HEADERS.test(name)) {
    return `The header ${name} usually holds a secret, and everyone who can see the project could read it. Check an address that needs none.`;
  }
  return /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)
    ? `The value of ${name} has a character that headers can’t contain.`
    : null;
}

function jsonProblems(expected: NonNullable<CheckSpec['expectJson']>): Problems {
  const { path, exists, ...conditions } = expected;
  const parsed = parseJsonPath(path);
  if (!parsed.ok) return { 'expectJson.path': parsed.problem };
  const given = Object.values(conditions).filter((value) => value !== undefined).length;
  if (given === 0 && exists === undefined) {
    return { expectJson: 'Say what the value must be: exists, equals, oneOf, atLeast or atMost.' };
  }
  return exists === false && given > 0
    ? { expectJson: 'A value that must not exist can’t have other conditions.' }
    : {};
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}

function isDnsName(text: string): boolean {
  return /^[\w*-]+(?:\.[\w-]+)*\.?$/.test(text.trim());
}

function isHostName(text: string): boolean {
  return /^[A-Za-z0-9](?:[\w.:-]*[A-Za-z0-9])?$/.test(text);
}

/** The content of a check, whatever the order of its fields. */
function contentOf(check: CheckSpec): string {
  const entries = Object.entries(check).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.toSorted(([one], [other]) => one.localeCompare(other)));
}
