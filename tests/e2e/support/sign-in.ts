import { type APIRequestContext, expect, type Page } from '@playwright/test';
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
