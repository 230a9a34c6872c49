import type { CheckOf } from '../check-kind';
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
import { judgeJson } from './expect-json';
import type { http } from './kind';
import { decideRedirect, shownUrl } from './redirect';

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
