import { randomBytes } from 'node:crypto';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { foundOrganization, PASSWORD } from './support/new-organization';

const SESSION_COOKIE = 'next-auth.session-token';

function newEmail(): string {
  return `ana-${randomBytes(5).toString('hex')}@example.com`;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('[SAS-1.1] someone signs up, out and in again, and lands where they wanted to go', async ({
  page,
  baseURL,
}) => {
  const email = newEmail();
  const main = page.getByRole('main');

  await test.step('sign-up says at each field what is wrong and keeps the rest', async () => {
    await page.goto('/sign-up');
    await page.getByLabel('Your name').fill('Ana Ruiz');
    await page.getByLabel('E-mail').fill('ana');
    await page.getByLabel('Password').fill('short');
    const create = page.getByRole('button', { name: 'Create account' });
    await create.click();
    await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/Enter an e-mail address/);
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 10 characters/);
    await expect(page.getByLabel('Your name')).toHaveValue('Ana Ruiz');
    await expect(page.getByLabel('E-mail')).toHaveValue('ana');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Organization').fill('Acme');
    await create.click();
    await expect(page).not.toHaveURL(/sign-up/);
  });

  await test.step('a kept copy of the cookie stops working after signing out', async () => {
    const kept = await page.context().cookies();
    const session = kept.find((cookie) => cookie.name === SESSION_COOKIE);
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    await page.goto('/orgs');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await page.context().addCookies(kept);
    await page.goto('/orgs?from=bookmark');
    await expect(page).toHaveURL(/\/sign-in\?next=%2Forgs%3Ffrom%3Dbookmark$/);
  });

  await test.step('an unknown e-mail gets the answer of a wrong password', async () => {
    for (const [address, password] of [
      [newEmail(), PASSWORD],
      [email, 'not the password'],
    ] as const) {
      await signIn(page, address, password);
      await expect(page.getByLabel('Password')).toHaveValue('');
      await expect(main.getByRole('alert')).toHaveText('E-mail or password is wrong.');
      await expect(main.getByRole('alert')).toBeFocused();
      await expect(page.getByLabel('E-mail')).toHaveValue(address);
    }
    await signIn(page, email, PASSWORD);
    await expect(page).toHaveURL(/\/orgs\?from=bookmark$/);
    await expect(main.getByRole('link', { name: /Acme/ })).toContainText('Owner');
  });

  await test.step('it never leads to another site', async () => {
    await page.context().clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent('//evil.example')}`);
    await signIn(page, email, PASSWORD);
    await expect(page).not.toHaveURL(/sign-in/);
    expect(new URL(page.url()).origin).toBe(new URL(baseURL ?? '').origin);
  });
});

async function postToNextAuth(
  request: APIRequestContext,
  path: string,
  form: Record<string, string>,
) {
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json();
  return request.post(path, { form: { ...form, csrfToken, json: 'true' } });
}

test('[SAS-1.1] next-auth’s own routes sign in and out as well', async ({ page, request }) => {
  const { email } = await foundOrganization(page);
  const wrong = await postToNextAuth(request, '/api/auth/callback/credentials', {
    email,
    password: 'not the password',
  });
  expect(wrong.status()).toBe(401);
  expect(await (await request.get('/api/auth/session')).json()).toEqual({});

  await postToNextAuth(request, '/api/auth/callback/credentials', { email, password: PASSWORD });
  const session = await (await request.get('/api/auth/session')).json();
  expect(session.user).toMatchObject({ email, name: 'Ana Ruiz' });

  const { cookies } = await request.storageState();
  await postToNextAuth(request, '/api/auth/signout', {});
  await page.context().clearCookies();
  await page.context().addCookies(cookies.filter((cookie) => cookie.name === SESSION_COOKIE));
  await page.goto('/orgs');
  await expect(page).toHaveURL(/\/sign-in/);
});

test('every answer forbids frames and scripts of others', async ({ request }) => {
  for (const path of ['/sign-in', '/healthz', '/api/auth/csrf']) {
    const headers = (await request.get(path)).headers();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-powered-by']).toBeUndefined();
  }
});
