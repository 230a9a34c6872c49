import {
  addressFact,
  type CheckRules,
  checkKind,
  choiceField,
  expectText,
  family,
  type Header,
  headersField,
  type JsonCondition,
  jsonField,
  listField,
  maxResponseMs,
  numberField,
  type Phases,
  type Problems,
  problem,
} from '../check-kind';
import { hostOfUrl, isHostName, isHttpUrl } from '../target';
import { parseJsonPath } from './json-path';

export const http = checkKind({
  word: 'HTTP',
  target: { label: 'URL', example: 'https://shop.example/health' },
  since: 1,
  fields: {
    expectStatus: numberField({
      label: 'Status',
      name: 'expected status',
      placeholder: '200–399',
      place: 'main',
      since: 1,
      min: 100,
      max: 599,
    }),
    expectText: { ...expectText, since: 1 },
    expectJson: jsonField({ label: 'JSON value', name: 'expected JSON' }),
    method: choiceField({
      label: 'Method',
      choices: ['GET', 'HEAD'],
      otherwise: 'GET',
    }),
    headers: headersField({
      label: 'Headers',
      hint: 'One per line. Everyone who can see the project can read them, so no secrets.',
      placeholder: 'Accept: application/json',
    }),
    redirectHosts: listField({
      label: 'Redirects may also lead to',
      name: 'redirect hosts',
      placeholder: 'login.shop.example',
      maxLength: 253,
      max: 20,
    }),
    family,
    maxResponseMs,
  },
  host: hostOfUrl,
});

export const httpRules = {
  target: 'a URL',
  facts: {
    address: addressFact,
    /** Of the last response. */
    statusCode: { shape: 'integer' },
    /** Every request, as `301 https://shop.example/old`, without queries. */
    hops: {
      shape: 'texts',
      max: 10,
      words: (hops) => (hops.length > 1 ? `after ${hops.slice(0, -1).join(', ')}` : ''),
    },
    phases: { shape: 'phases', words: phaseWords },
  },
  identity: ({ method }) => [method === 'HEAD' ? '(HEAD)' : undefined],
  texts: {
    expectStatus: {
      doc: 'HTTP status that counts as healthy; 200 to 399 by default.',
      comment: 'HTTP status; 200 to 399 by default',
    },
    expectText: 'the response',
    expectJson: {
      doc: '`http`: what a value of the JSON response must be. All conditions must hold.',
    },
    'expectJson.path': {
      doc: 'JSONPath of the value, such as `$.status`: members, indexes and `*`, without filters. Every value that it selects must fit.',
    },
    'expectJson.exists': { doc: 'Whether there must be a value.' },
    'expectJson.equals': { doc: 'Text, number, true, false or null that it equals.' },
    'expectJson.oneOf': { doc: 'Values of which it equals one.' },
    'expectJson.atLeast': { doc: 'Smallest number that counts as healthy.' },
    'expectJson.atMost': { doc: 'Largest number that counts as healthy.' },
    method: { doc: '`http`: `GET` by default. A `HEAD` response has no content.' },
    headers: {
      doc: '`http`: headers of the request. Everyone who can see the project can read them, so no secrets.',
      comment: 'no secrets',
    },
    'headers.name': { doc: 'Name of the header.' },
    'headers.value': { doc: 'Its value.' },
    redirectHosts: {
      doc: '`http`: other hosts that redirects may lead to. Redirects to the same host are always followed, with or without `www.`, up to 3.',
    },
  },
  problems(check) {
    const { target, method, headers = [], redirectHosts = [] } = check;
    const hasBody = method !== 'HEAD';
    const noBody = 'A HEAD request gets no body. Use GET, or leave this empty.';
    const wrongHost = redirectHosts.find((host) => !isHostName(host));
    const wrongHeader = headers.map(headerProblem).find((text) => text !== null);
    return {
      ...problem(
        'target',
        isHttpUrl(target),
        'Enter a full URL, such as https://shop.example/health.',
      ),
      ...problem('expectText', hasBody || check.expectText === undefined, noBody),
      ...problem('expectJson', hasBody || check.expectJson === undefined, noBody),
      ...(hasBody && check.expectJson ? jsonProblems(check.expectJson) : {}),
      ...problem(
        'redirectHosts',
        wrongHost === undefined,
        `“${wrongHost}” is not a host name. Enter names without https:// and paths.`,
      ),
      ...(wrongHeader ? { headers: wrongHeader } : {}),
    };
  },
} satisfies CheckRules<typeof http.fields>;

function phaseWords({ dnsMs, connectMs, tlsMs, firstByteMs }: Phases): string {
  const phases = { dns: dnsMs, connect: connectMs, tls: tlsMs, 'first byte': firstByteMs };
  return Object.entries(phases)
    .flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]))
    .join(', ');
}

/** Headers that the request itself decides. */
const OWN_HEADERS =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
const SECRET_HEADERS = /auth|cookie|credential|key|passw|secret|session|signature|token/i;

function headerProblem({ name, value }: Header): string | null {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return `“${name}” is not a header name.`;
  if (OWN_HEADERS.test(name)) return `The header ${name} is set by the request itself. Remove it.`;
  if (SECRET_HEADERS.test(name)) {
    return `The header ${name} usually holds a secret, and everyone who can see the project could read it. Check an address that needs none.`;
  }
  return /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)
    ? `The value of ${name} has a character that headers can’t contain.`
    : null;
}

function jsonProblems({ path, exists, ...conditions }: JsonCondition): Problems {
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
