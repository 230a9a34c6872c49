/** A person's browser over plain HTTP: signed in, with the cookies that it would send. */
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { type Account, PASSWORD } from '../../support/system/account';

export interface WebSession {
  organizationSlug: string;
  /** Status and text of a page or route; redirects are not followed. */
  get(path: string): Promise<{ status: number; text: string }>;
  /** Reads a server-sent stream until `signal` aborts. Resolves when the stream has ended. */
  follow(
    path: string,
    onEvent: (event: string, data: unknown) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Calls a server action as the page of the organization does; the value it answers. */
  act(actionId: string, page: string, input: object): Promise<ActionAnswer>;
}

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);
export type ActionAnswer = z.infer<typeof answerSchema> | { redirect: string };

/** Signs in as the person of an account. */
export async function openWebSession(url: string, { email, scope }: Account): Promise<WebSession> {
  const cookie = await signIn(url, email);
  return {
    organizationSlug: scope.organizationSlug,
    get: async (path) => {
      const answer = await fetch(url + path, { headers: { cookie }, redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    },
    follow: (path, onEvent, signal) => {
      const parser = createParser({
        onEvent: ({ event = 'message', data }) => onEvent(event, JSON.parse(data)),
      });
      const read = async () => {
        const headers = { cookie, accept: 'text/event-stream' };
        const answer = await fetch(url + path, { headers, signal });
        if (!answer.ok || !answer.body) throw new Error(`${path} answered ${answer.status}.`);
        for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
          parser.feed(chunk);
        }
      };
      return read().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    act: async (actionId, page, input) => {
      const answer = await fetch(url + page, {
        method: 'POST',
        headers: {
          cookie,
          origin: url,
          accept: 'text/x-component',
          'next-action': actionId,
          'content-type': 'text/plain;charset=UTF-8',
        },
        body: JSON.stringify([input]),
        redirect: 'manual',
      });
      const redirect = answer.headers.get('x-action-redirect');
      if (redirect) return { redirect };
      const text = await answer.text();
      // React's stream: a line of its own for the action's value, as JSON.
      const line = text.split('\n').find((each) => /^\w+:\{"ok":/.test(each));
      if (!line) throw new Error(`${page} answered ${answer.status} without a value: ${text}`);
      return answerSchema.parse(JSON.parse(line.slice(line.indexOf(':') + 1)));
    },
  };
}

async function signIn(url: string, email: string): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await csrf.json());
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: 'POST',
    headers: { cookie: cookiesOf(csrf), origin: url },
    body: new URLSearchParams({ email, password: PASSWORD, csrfToken, json: 'true' }),
    redirect: 'manual',
  });
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}.`);
  return cookiesOf(answer);
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
