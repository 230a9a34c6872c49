import { describe, expect, it } from 'vitest';
import {
  actionFailureText,
  failedActionResponse,
  hasServerError,
  isRouterAnswer,
  isSamePage,
  routerRequestKind,
} from './router-request';

const PAGE = 'https://ops.example/acme/settings?tab=a';

describe('routerRequestKind', () => {
  it.each<[string, string, Record<string, string>, ReturnType<typeof routerRequestKind>]>([
    ['the page itself', `${PAGE}&_rsc=1x2y`, { rsc: '1' }, 'refresh'],
    ['another page', 'https://ops.example/acme/members?_rsc=1x2y', { rsc: '1' }, 'navigation'],
    ['another query', 'https://ops.example/acme/settings?tab=b', { rsc: '1' }, 'navigation'],
    ['a server action', PAGE, { 'next-action': '60ab' }, 'action'],
    ['a prefetch', PAGE, { rsc: '1', 'next-router-prefetch': '1' }, null],
    ['a segment prefetch', PAGE, { rsc: '1', 'next-router-segment-prefetch': '/a' }, null],
    ['anything else', 'https://ops.example/healthz', {}, null],
  ])('%s', (_what, url, headers, kind) => {
    expect(routerRequestKind(url, new Headers(headers), PAGE)).toBe(kind);
  });
});

it.each([
  ['a hash', `${PAGE}#top`, true],
  ['an equal query, written differently', 'https://ops.example/acme/settings?tab=%61', true],
  ['another path', 'https://ops.example/acme', false],
  ['another host', 'https://login.example/acme/settings?tab=a', false],
])('isSamePage: %s', (_what, url, expected) => {
  expect(isSamePage(url, PAGE)).toBe(expected);
});

it.each([
  ['router data', 200, 'text/x-component', true],
  ['router data with a charset', 200, 'text/x-component; charset=utf-8', true],
  ['a login page', 200, 'text/html', false],
  ['a bad gateway', 502, 'text/html', false],
  ['an error with the right type', 500, 'text/x-component', false],
])('isRouterAnswer: %s', (_what, status, type, expected) => {
  const response = new Response('', { status, headers: { 'content-type': type } });
  expect(isRouterAnswer(response)).toBe(expected);
});

describe('failedActionResponse', () => {
  const modelOf = async (response: Response) => JSON.parse((await response.text()).slice(2));

  it('is a result that isn’t ok, with what is known', async () => {
    const response = failedActionResponse({ kind: 'not_sent' }, '[{}]');
    expect(response.headers.get('content-type')).toBe('text/x-component');
    const error = {
      code: 'unknown',
      message: actionFailureText({ kind: 'not_sent' }),
      fields: {},
      requestId: null,
    };
    expect(await modelOf(response)).toEqual({ a: { ok: false, error, values: {} } });
  });

  it('keeps the fields of a form, without passwords, and never as references', async () => {
    const body = new FormData();
    body.set('0', '["$undefined","$K1"]');
    body.set('_1_email', 'ana@example.com');
    body.set('_1_name', '$L1');
    body.set('_1_password', 'correct horse');
    const { a } = await modelOf(failedActionResponse({ kind: 'not_sent' }, body));
    expect(a.values).toEqual({ email: 'ana@example.com', name: '$$L1' });
  });

  it.each([
    [null, /^The connection was lost after sending, so we don’t know whether this was done\./],
    [502, /^Something between you and Tierwatch answered with 502, so we don’t know/],
  ])('says that the outcome is unknown: %s', (status, text) => {
    expect(actionFailureText({ kind: 'no_answer', status })).toMatch(text);
  });
});

const encode = (text: string) => new TextEncoder().encode(text);
const bodyOf = (text: string) => encode(text).buffer;
const textRow = (id: string, text: string) => `${id}:T${encode(text).length.toString(16)},${text}`;

const MODEL = '0:{"f":["$","main",null,{"children":"$L1"}]}\n';
const ERROR = '1:E{"digest":"2876539812"}\n';

describe('hasServerError', () => {
  it.each<[string, string, boolean]>([
    ['a whole page', `${MODEL}1:["$","p",null,{"children":"fine"}]\n`, false],
    ['an empty answer', '', false],
    ['a part that failed', MODEL + ERROR, true],
    ['a part that failed after a long text', MODEL + textRow('2', 'ü\n'.repeat(90)) + ERROR, true],
    ['a log that prints an error row', MODEL + textRow('2', `x\n${ERROR}`), false],
    ['a string that prints an error row', `${MODEL}2:${JSON.stringify(`x\n${ERROR}`)}\n`, false],
    ['a page that is gone', `${MODEL}1:E{"digest":"NEXT_HTTP_ERROR_FALLBACK;404"}\n`, false],
    ['a redirect', `${MODEL}1:E{"digest":"NEXT_REDIRECT;replace;/sign-in;307;"}\n`, false],
    ['a module and hints', '1:I["a.js",["x"],"default"]\n:HL["/a.css","style"]\n', false],
    ['an error in the last row, without an end of line', `${MODEL}1:E{"digest":"1"}`, true],
  ])('%s: %#', (_what, answer, expected) => {
    expect(hasServerError(bodyOf(answer))).toBe(expected);
  });
});
