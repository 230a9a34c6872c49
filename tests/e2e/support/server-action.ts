import { type APIRequestContext, expect } from '@playwright/test';
import { listBuiltActions } from '../../product/support/built-actions';

interface NamedAction {
  /** Where it is written: `app/me/actions.ts`. */
  file: string;
  name: string;
  /** Of the page that calls it. */
  path: string;
}

/**
 * Sends what the page of an action would send, without opening it.
 *
 * @param sender a page or a context, whose cookies are sent and kept
 * @returns where it leads, or its value
 */
export async function callAction(
  sender: { request: APIRequestContext },
  action: NamedAction,
  input: object,
) {
  const built = listBuiltActions().find(
    ({ file, name }) => file === action.file && name === action.name,
  );
  const answer = await sender.request.post(action.path, {
    headers: {
      'next-action': built?.id ?? 'not built',
      'content-type': 'text/plain;charset=UTF-8',
      accept: 'text/x-component',
      'sec-fetch-site': 'same-origin',
    },
    data: JSON.stringify([input]),
    maxRedirects: 0,
  });
  const text = await answer.text();
  const [leadsTo] = (answer.headers()['x-action-redirect'] ?? '').split(';');
  if (leadsTo) return { leadsTo, data: null };
  // React's stream: a line of its own for the action's value, as JSON.
  const line = text.split('\n').find((each) => /^\w+:\{"ok":true/.test(each));
  expect(line, `${action.name}: ${answer.status()} ${text}`).toBeDefined();
  return { leadsTo: null, data: JSON.parse(line?.slice(line.indexOf(':') + 1) ?? '{}').data };
}
