import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  expect,
  type Page,
} from '@playwright/test';
import { PASSWORD } from './new-organization';
import { callAction } from './server-action';

const SIGN_IN = { file: 'app/(auth)/actions.ts', name: 'signIn', path: '/sign-in' };

/** Signs somebody in, which leaves the page as it is. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await callAction(page, SIGN_IN, { email, password });
}

/** Makes a token for everything, as an owner does who has just signed in. */
export async function makeToken(page: Page, organizationSlug: string): Promise<string> {
  const { data } = await callAction(
    page,
    {
      file: 'app/(dashboard)/[orgSlug]/settings/tokens/actions.ts',
      name: 'createApiToken',
      path: `/${organizationSlug}/settings/tokens`,
    },
    { organizationSlug, name: 'end to end', scopes: ['all'] },
  );
  return data.token;
}

/** Creates a project with the API's defaults for what isn't said. */
export async function createProject(
  request: APIRequestContext,
  token: string,
  data: object,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await request.post('/api/v1/projects', { headers, data });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** Lets somebody join the organization of the token, in a browser of their own. */
export async function joinAs(
  browser: Browser,
  token: string,
  { role, ...person }: { email: string; role: string; name: string },
): Promise<BrowserContext> {
  const context = await browser.newContext();
  const invited = await context.request.post('/api/v1/invitations', {
    headers: { authorization: `Bearer ${token}` },
    data: { email: person.email, role },
  });
  expect(invited.status(), await invited.text()).toBe(201);
  // No mail server runs, so the link is answered.
  const path = new URL((await invited.json()).link).pathname;
  await callAction(
    context,
    { file: 'app/(auth)/invite/[token]/actions.ts', name: 'joinWithNewAccount', path },
    { token: path.split('/').at(-1), name: person.name, password: PASSWORD },
  );
  return context;
}
