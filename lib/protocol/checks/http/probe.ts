import type { CheckOf, JsonCondition, JsonScalar } from '../check-kind';
import { type HttpAnswer, sendRequest } from '../http-request';
import {
  degraded,
  down,
  healthy,
  type Probe,
  type ProbeFacts,
  type ProbeResult,
  unknown,
} from '../outcome';
import { parseJsonPath, selectJson } from './json-path';
import type { http } from './kind';

const MAX_BODY_CHARACTERS = 1_000_000;

/** The last address of a chain of redirects, each over a new connection, answers as expected. */
export const probeHttp: Probe<typeof http.fields> = async (check, context) => {
  let url = URL.canParse(check.target) ? new URL(check.target) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return unknown('The target is not an http or https URL.');
  const hops: string[] = [];
  for (;;) {
    const answer = await sendRequest(url, requestOf(check), context);
    hops.push(`${answer.statusCode} ${shownUrl(url)}`);
    const facts: ProbeFacts = {
      address: answer.address,
      statusCode: answer.statusCode,
      phases: answer.phases,
      hops,
    };
    const redirect = decideRedirect(check, url, answer, hops.length - 1);
    if (redirect.kind === 'refused') return { ...down(redirect.problem), facts };
    if (redirect.kind === 'none') return { ...judgeAnswer(check, answer), facts };
    url = redirect.url;
  }
};

function requestOf(check: CheckOf<typeof http.fields>) {
  const own = (check.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const);
  const needsBody = check.expectText !== undefined || check.expectJson !== undefined;
  return {
    method: check.method ?? ('GET' as const),
    headers: {
      'user-agent': 'tierwatch-check',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...Object.fromEntries(own),
    },
    family: check.family,
    maxCharacters: needsBody ? MAX_BODY_CHARACTERS : 0,
  };
}

/**
 * Judges a response: 200 to 399 is fine unless the check names a status; a fine one without the
 * expected text or value is degraded.
 */
export function judgeAnswer(
  check: Pick<CheckOf<typeof http.fields>, 'expectStatus' | 'expectText' | 'expectJson'>,
  { statusCode, body, isCut }: Pick<HttpAnswer, 'statusCode' | 'body' | 'isCut'>,
): ProbeResult {
  const isExpected = check.expectStatus
    ? statusCode === check.expectStatus
    : statusCode >= 200 && statusCode < 400;
  if (!isExpected) {
    return down(`Answered ${statusCode}, expected ${check.expectStatus ?? '200 to 399'}.`);
  }
  if (check.expectText && !body.includes(check.expectText)) {
    const where = isCut ? ` in its first ${MAX_BODY_CHARACTERS} characters` : '';
    return degraded(`Answered ${statusCode} without the text "${check.expectText}"${where}.`);
  }
  if (!check.expectJson) return healthy;
  if (isCut) {
    return unknown(
      `The response has more than ${MAX_BODY_CHARACTERS} characters, so its JSON was not read.`,
    );
  }
  return judgeJson(check.expectJson, body);
}

/** Judges a response by what the check expects of its JSON. Every selected value must fit. */
export function judgeJson(expected: JsonCondition, body: string): ProbeResult {
  const path = parseJsonPath(expected.path);
  if (!path.ok) return degraded(path.problem);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return degraded('The response is not JSON.');
  }
  const values = selectJson(value, path.steps);
  if (expected.exists === false) {
    return values.length === 0
      ? healthy
      : degraded(`The response has a value at ${expected.path}.`);
  }
  if (values.length === 0) return degraded(`The response has no value at ${expected.path}.`);
  const problem = values.map((each) => problemOf(expected, each)).find((text) => text !== null);
  return problem ? degraded(`${expected.path} is ${problem}.`) : healthy;
}

/** Returns what a value is instead, such as `"failing", not "ok"`; null if it fits. */
function problemOf(expected: JsonCondition, value: unknown): string | null {
  const { equals, oneOf, atLeast, atMost } = expected;
  if (equals !== undefined && value !== equals) return `${shown(value)}, not ${shown(equals)}`;
  if (oneOf && !oneOf.includes(value as JsonScalar)) {
    return `${shown(value)}, not one of ${oneOf.map(shown).join(', ')}`;
  }
  const isNumber = typeof value === 'number';
  if (atLeast !== undefined && !(isNumber && value >= atLeast)) {
    return `${shown(value)}, not at least ${atLeast}`;
  }
  if (atMost !== undefined && !(isNumber && value <= atMost)) {
    return `${shown(value)}, not at most ${atMost}`;
  }
  return null;
}

const MAX_SHOWN = 100;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

export const MAX_REDIRECTS = 3;

export type Redirect =
  | { kind: 'none' }
  | { kind: 'follow'; url: URL }
  /** `problem`: a sentence. */
  | { kind: 'refused'; problem: string };

/**
 * Decides whether a check follows a response to another address. It stays with the host of the check,
 * with or without `www.`, and with hosts that the check names: a login page of another host answers,
 * too. It never leaves TLS.
 *
 * @param location the response's header of that name
 */
export function decideRedirect(
  check: Pick<CheckOf<typeof http.fields>, 'target' | 'expectStatus' | 'redirectHosts'>,
  from: URL,
  response: { statusCode: number; location: string | undefined },
  followed: number,
): Redirect {
  const { statusCode, location } = response;
  if (!isRedirect(statusCode) || isRedirect(check.expectStatus) || !location) {
    return { kind: 'none' };
  }
  const url = URL.parse(location, from.href);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return {
      kind: 'refused',
      problem: `Answered ${statusCode} with an address that can’t be read.`,
    };
  }
  const shown = shownUrl(url);
  const allowed = [new URL(check.target).hostname, ...(check.redirectHosts ?? [])].map(plainHost);
  if (!allowed.includes(plainHost(url.hostname))) {
    return {
      kind: 'refused',
      problem: `Redirected to ${shown}, which is another host. If that is right, allow the host in the check.`,
    };
  }
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    return { kind: 'refused', problem: `Redirected from https to ${shown}.` };
  }
  if (followed >= MAX_REDIRECTS) {
    return { kind: 'refused', problem: `Too many redirects: more than ${MAX_REDIRECTS}.` };
  }
  if (url.origin === from.origin) [url.username, url.password] = [from.username, from.password];
  return { kind: 'follow', url };
}

/** An address without credentials and query, which may hold tokens. */
function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400 && status !== 304;
}
