import { expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { localEnvironment } from '@/cli/local-environment';
import { foundOrganization, type NewOrganization, PASSWORD } from './support/new-organization';
import { joinAs, makeToken } from './support/sign-in';
import { expectNoViolations } from './support/violations';

const SESSION_COOKIE = 'next-auth.session-token';
const PHONE = { width: 390, height: 844 };
const STEP_MS = 30_000;

const codeAt = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Sets up an app from the page of second factors. Returns its key and the recovery codes. */
async function addApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto('/me/second-factor');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await expect(page.getByRole('img', { name: 'QR code with the key below' })).toBeVisible();
  const shown = await page.locator('pre').first().textContent();
  const secret = (shown ?? '').replace(/\s/g, '');
  const code = page.getByLabel('Code from the app');
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  const added = page.getByRole('heading', { name: 'Your recovery codes' });
  // As someone does whose code has expired before it arrived.
  await expect(async () => {
    // The step before, so that the current code is still unused.
    await code.fill(codeAt(secret, Date.now() - STEP_MS));
    await page.getByRole('button', { name: 'Add app' }).click();
    await expect(added.or(page.getByText(/^This code/))).toBeVisible();
    expect(await added.isVisible()).toBe(true);
  }).toPass();
  const recoveryCodes = ((await page.locator('pre').first().textContent()) ?? '').split('\n');
  expect(recoveryCodes).toHaveLength(10);
  return { secret, recoveryCodes };
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/me');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
}

async function sendPassword(page: Page, email: string, next = ''): Promise<void> {
  await page.goto(`/sign-in${next ? `?next=${encodeURIComponent(next)}` : ''}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('[SEC-1.4] someone sets up an app, signs in with it, and with a recovery code', async ({
  page,
}) => {
  const team = await foundOrganization(page);
  const { secret, recoveryCodes } = await addApp(page);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'I stored the codes' }).click();
  await expect(page.getByText('You sign in with an authenticator app.')).toBeVisible();
  await signOut(page);

  await test.step('next-auth’s own route asks for the second step too', async () => {
    const { csrfToken } = await (await page.request.get('/api/auth/csrf')).json();
    const answer = await page.request.post('/api/auth/callback/credentials', {
      form: { csrfToken, email: team.email, password: PASSWORD, json: 'true' },
    });
    expect(await answer.json()).toMatchObject({ url: expect.stringContaining('/second-step') });
    const names = (await page.context().cookies()).map(({ name }) => name);
    expect(names).not.toContain(SESSION_COOKIE);
    await page.goto(team.home);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  });

  await test.step('a browser that has sent the password alone reaches nothing', async () => {
    await sendPassword(page, team.email, '/orgs?from=bookmark');
    await expect(page).toHaveURL(/\/sign-in\/second-step\?next=/);
    await expectToReachNothing(page, team);
  });

  await page.setViewportSize(PHONE);
  await expectNoViolations(page);
  await enterCode(page, '000000');
  const signal = page.getByRole('main').getByRole('alert');
  await expect(signal).toHaveText('This code is wrong or was used already. Enter the current one.');
  await expect(signal).toBeFocused();
  await enterCode(page, codeAt(secret));
  await expect(page).toHaveURL(/\/orgs\?from=bookmark$/);

  await signOut(page);
  await sendPassword(page, team.email);
  await enterCode(page, recoveryCodes[0] ?? '');
  await expect(page.getByRole('heading', { level: 1, name: team.name })).toBeVisible();
  await page.goto('/me/second-factor');
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();
});

async function expectToReachNothing(page: Page, team: NewOrganization): Promise<void> {
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).not.toContain(SESSION_COOKIE);
  const step = cookies.find(({ name }) => name === 'tierwatch.step');
  expect(step).toMatchObject({ httpOnly: true, path: '/sign-in' });

  // As the cookie of a sign-in, and under its own name everywhere.
  const { origin } = new URL(page.url());
  const value = step?.value ?? '';
  for (const name of [SESSION_COOKIE, 'tierwatch.step']) {
    const headers = { cookie: `${name}=${value}`, 'sec-fetch-site': 'same-origin' };
    const slug = team.home.slice(1);
    for (const path of [
      `/api/v1/projects?organization=${slug}`,
      `/api/v1/sessions?organization=${slug}`,
      '/api/live',
    ]) {
      const answer = await page.request.get(`${origin}${path}`, { headers, maxRedirects: 0 });
      expect(answer.status(), path).toBe(401);
    }
    for (const path of [team.home, `${team.home}/audit/entries?format=csv`, '/orgs', '/me', '/']) {
      const answer = await page.request.get(`${origin}${path}`, { headers, maxRedirects: 0 });
      const target = answer.headers().location ?? '';
      expect(answer.status() === 401 || target.includes('/sign-in'), path).toBe(true);
    }
  }
  const other = await page.context().newPage();
  await other.goto(team.home);
  await expect(other).toHaveURL(/\/sign-in\?next=/);
  await other.close();
}

/** Browsers have no passkeys for IP addresses. */
async function atLocalhost(page: Page, path: string): Promise<void> {
  const url = new URL(path, test.info().project.use.baseURL);
  url.hostname = 'localhost';
  await page.goto(url.href);
}

test('[SEC-1.4] a passkey is added, signs in as the second step, and alone', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { email } = await signUpAtLocalhost(page);
  await atLocalhost(page, '/me/second-factor');
  await page.getByLabel('Name of the new passkey').fill('Work laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await page.getByRole('button', { name: 'I stored the codes' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Work laptop');

  await atLocalhost(page, '/me');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).not.toHaveURL(/sign-in/);

  await atLocalhost(page, '/me');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
});

async function signUpAtLocalhost(page: Page): Promise<{ email: string }> {
  const email = `ana-${Date.now()}@example.com`;
  await atLocalhost(page, '/sign-up');
  await page.getByLabel('Your name').fill('Ana Ruiz');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Organization').fill(`Acme ${Date.now()}`);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).not.toHaveURL(/sign-up/);
  return { email };
}

test('[SEC-1.4] an owner requires a second factor; a member is led to the set-up and then in', async ({
  page,
  browser,
}) => {
  const team = await foundOrganization(page);
  const person = { email: `bo-${team.tag}@example.com`, role: 'viewer', name: 'Bo Lind' };
  const token = await makeToken(page, team.home.slice(1));
  const member = await (await joinAs(browser, token, person)).newPage();
  await page.goto(`${team.home}/settings/general`);
  const button = page.getByRole('button', { name: 'Require a second factor' });
  await button.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('2 members have no second factor');
  await dialog.getByRole('button', { name: 'Require a second factor' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Your own account has no second factor');

  await addApp(page);
  await page.goto(`${team.home}/settings/general`);
  await button.click();
  await dialog.getByRole('button', { name: 'Require a second factor' }).click();
  await expect(page.getByText('A second factor is required.')).toBeVisible();
  await page.goto(`${team.home}/settings/members`);
  await expect(page.getByRole('row', { name: /Bo Lind/ })).toContainText('None');

  await member.goto(team.home);
  await expect(member).toHaveURL(/\/me\/second-factor\?organization=/);
  await expect(member.getByText(`${team.name} requires a second factor.`)).toBeVisible();
  await expectNoViolations(member);
  const api = await member.request.get(`/api/v1/projects?organization=${team.home.slice(1)}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(await api.json()).toMatchObject({ status: 403, code: 'second_factor_required' });
  await member.goto('/me');
  await expect(member.getByText('Needs a second factor')).toBeVisible();

  await addApp(member);
  await member.goto(team.home);
  await expect(member.getByRole('heading', { level: 1, name: team.name })).toBeVisible();
  await member.context().close();
});

/** Lets the last confirmation of everyone in these tests be an hour old. */
async function ageConfirmations(email: string): Promise<void> {
  const { dataDir } = test.info().project.metadata;
  const env = localEnvironment({ TIERWATCH_DATA_DIR: dataDir });
  const client = new pg.Client({ connectionString: env.TIERWATCH_APP_DATABASE_URL });
  await client.connect();
  await client.query(
    `update auth_session set proved_at = now() - interval '1 hour'
     from user_account where user_id = user_account.id and email = $1`,
    [email],
  );
  await client.end();
}

test('[SEC-1.4] a sensitive action asks for a confirmation and is repeated after it', async ({
  page,
}) => {
  const team = await foundOrganization(page);
  await ageConfirmations(team.email);
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });

  await test.step('closing the confirmation leaves the organization as it is', async () => {
    await page.goto(`${team.home}/settings/general`);
    await page.getByRole('button', { name: `Delete ${team.name}` }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(team.home.slice(1));
    await dialog.getByRole('button', { name: `Delete ${team.name}` }).click();
    await expect(proof).toBeVisible();
    await proof.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toContainText('Confirm who you are, then repeat this.');
  });

  await test.step('a token for everything is created after it', async () => {
    await page.goto(`${team.home}/settings/tokens`);
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create API token' });
    await dialog.getByLabel('Name', { exact: true }).fill('wide');
    await dialog.getByText('Everything', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(proof.getByLabel('Password')).toBeVisible();
    await expectNoViolations(page);
    await proof.getByLabel('Password').fill('not the password');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect(proof.getByText('This isn’t your current password.')).toBeVisible();
    await proof.getByLabel('Password').fill(PASSWORD);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(/twk_[0-9A-Za-z]+/).first()).toBeVisible();
  });

  await test.step('a file whose link is opened is downloaded after it', async () => {
    await ageConfirmations(team.email);
    await page.goto(`${team.home}/audit/entries?format=csv&action=organization`);
    await proof.getByLabel('Password').fill(PASSWORD);
    const download = page.waitForEvent('download');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    expect((await download).suggestedFilename()).toMatch(/-audit-log\.csv$/);
    await expect(page).toHaveURL(`${team.home}/audit?action=organization`);
  });
});
