import { keptValues } from '@/app/_actions/form-input';
import type { ActionResult } from '@/app/_actions/result';

/** The requests of Next's router that change or replace what is on the page. */
type RouterRequestKind = 'refresh' | 'navigation' | 'action';

/** @returns null for every other request, prefetches included: a failed one changes nothing */
export function routerRequestKind(
  url: string,
  headers: Headers,
  pageUrl: string,
): RouterRequestKind | null {
  if (headers.has('next-action')) return 'action';
  const isPrefetch =
    headers.has('next-router-prefetch') || headers.has('next-router-segment-prefetch');
  if (!headers.has('rsc') || isPrefetch) return null;
  return isSamePage(url, pageUrl) ? 'refresh' : 'navigation';
}

/** Ignores the hash, and the parameter that Next adds against caches. */
export function isSamePage(first: string, second: string): boolean {
  return pageOf(first) === pageOf(second);
}

function pageOf(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.searchParams.delete('_rsc');
  // Rebuilt for both, since deleting a parameter normalizes the others.
  url.search = new URLSearchParams(url.search).toString();
  return url.href;
}

/** Next leaves the page for the browser's own navigation on any other answer. */
export function isRouterAnswer(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return response.ok && type.startsWith('text/x-component');
}

/** Why a server action has no answer of its own. */
export type ActionFailure =
  | { kind: 'not_sent' }
  /** `status`: of an answer that isn't the action's; null when there was none. */
  | { kind: 'no_answer'; status: number | null }
  | { kind: 'unknown_action' };

/** What happened, what is known, what to do. */
export function actionFailureText(failure: ActionFailure): string {
  switch (failure.kind) {
    case 'not_sent':
      return 'Can’t reach Tierwatch, so nothing was sent. What you entered is still here. Try again when the connection is back.';
    case 'no_answer': {
      const cause =
        failure.status === null
          ? 'The connection was lost after sending'
          : `Something between you and Tierwatch answered with ${failure.status}`;
      return `${cause}, so we don’t know whether this was done. Check before you try again.`;
    }
    case 'unknown_action':
      return 'This page is older than the server, so nothing was done. Copy what you entered, then reload the page.';
  }
}

/**
 * The answer to a server action that has none, in Next's own wire format: every form and button
 * already shows the message of a result that isn't `ok`, and keeps what was entered.
 */
export function failedActionResponse(failure: ActionFailure, body: unknown): Response {
  const result: ActionResult<never> = {
    ok: false,
    error: {
      code: 'unknown',
      message: actionFailureText(failure),
      fields: {},
      requestId: null,
    },
    values: body instanceof FormData ? keptValues(formIn(body)) : {},
  };
  // A row of React's Flight protocol: its id, then the model. `a` is the action's result.
  return new Response(`0:${JSON.stringify({ a: escaped(result) })}\n`, {
    headers: { 'content-type': 'text/x-component' },
  });
}

/** The form inside the body of a server action, where React calls its field `email` `_1_email`. */
function formIn(body: FormData): FormData {
  const form = new FormData();
  for (const [key, value] of body) {
    const name = /^_\d+_(.+)$/.exec(key)?.[1];
    if (name) form.append(name, value);
  }
  return form;
}

/** In the Flight protocol a string that starts with `$` is a reference unless it is doubled. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item)]));
}

/**
 * Tags of rows whose content has a length instead of ending with its line: text, and binary data.
 * See `processBinaryChunk` in React's Flight client.
 */
const COUNTED_TAGS = 'TAOobUSsLlGgMmV';

const [COLON, COMMA, LINE_END, ERROR_TAG] = [':', ',', '\n', 'E'].map((char) => char.charCodeAt(0));

/** `not-found` and redirects travel as errors, too; their digests start with this. */
const CONTROL_FLOW = /"digest":"NEXT_/;

/**
 * Whether part of a page failed on the server. Such an answer has status 200: the error is a row of
 * React's Flight protocol inside it, and the router would replace the page by its error message.
 *
 * @param body an answer of Next's router data, read to its end
 */
export function hasServerError(body: ArrayBuffer): boolean {
  const bytes = new Uint8Array(body);
  let at = 0;
  while (at < bytes.length) {
    const colon = bytes.indexOf(COLON as number, at);
    if (colon < 0) return false;
    const tag = bytes[colon + 1];
    if (tag !== undefined && COUNTED_TAGS.includes(String.fromCharCode(tag))) {
      const comma = bytes.indexOf(COMMA as number, colon);
      if (comma < 0) return false;
      const length = Number.parseInt(textOf(bytes.subarray(colon + 2, comma)), 16);
      if (Number.isNaN(length)) return false;
      at = comma + 1 + length;
      continue;
    }
    const newline = bytes.indexOf(LINE_END as number, colon);
    const end = newline < 0 ? bytes.length : newline;
    if (tag === ERROR_TAG && !CONTROL_FLOW.test(textOf(bytes.subarray(colon + 2, end))))
      return true;
    at = end + 1;
  }
  return false;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
