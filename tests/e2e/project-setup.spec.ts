import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test';
import { RUNNER_VERSION } from '@/lib/protocol/schema';
import { foundOrganization } from './support/new-organization';
import { createProject, makeToken } from './support/sign-in';
import { expectNoViolations } from './support/violations';

const CAPABILITIES = {
  runnerVersion: RUNNER_VERSION,
  canAsk: true,
  hostname: 'test-host',
  platform: 'linux-x64',
  user: 'ops',
  isRoot: false,
  containment: 'marker',
  slots: 2,
  harnesses: [
    {
      name: 'claude',
      version: null,
      fingerprint: null,
      isUsable: false,
      problem: 'No key is set.',
    },
    { name: 'demo', version: 'demo-1', fingerprint: 'd', isUsable: true, problem: null },
  ],
};

let shop: Server;
let shopUrl = '';

test.beforeAll(async () => {
  shop = createServer((_request, response) => response.end('all is well')).listen(0, '127.0.0.1');
  await new Promise((resolve) => shop.once('listening', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/health`;
});

test.afterAll(() => {
  shop.close();
});

/** What a runner's program does first: trade the token for a key, then say that it is there. */
async function connectRunner(request: APIRequestContext, token: string): Promise<void> {
  const name = `runner-${randomBytes(4).toString('hex')}`;
  const enrolled = await request.post('/api/runner/v1/enrol', {
    data: { protocol: 1, token, name },
  });
  expect(enrolled.status()).toBe(201);
  const { key } = await enrolled.json();
  const heartbeat = await request.post('/api/runner/v1/heartbeat', {
    headers: { authorization: `Bearer ${key}` },
    data: { protocol: 1, posture: CAPABILITIES, running: [] },
  });
  expect(heartbeat.ok()).toBe(true);
}

/** A project in a new organization. @returns the path of its settings */
async function setUpProject(page: Page): Promise<string> {
  const { home } = await foundOrganization(page);
  const token = await makeToken(page, home.slice(1));
  const services = [{ name: 'shop', checks: [{ type: 'http', target: shopUrl }] }];
  await createProject(page.request, token, { name: 'Checkout', harness: 'demo', services });
  return `${home}/projects/checkout/settings`;
}

async function save(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: `Save as v${version}` }).click();
  await expect(
    page.getByText(`v${version} is the current version. You have no changes.`),
  ).toBeVisible();
}

/** Changed rules are shown before they are saved, with what they change about recent commands. */
async function saveRules(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: `Save as v${version}` }).click();
  const changes = page.getByRole('dialog', { name: `What v${version} changes` });
  const recent = changes.getByRole('region', { name: 'Over the last 30 days' });
  await expect(recent).toContainText('Chains ran no commands in tier 2');
  await expectNoViolations(page);
  await changes.getByRole('button', { name: `Save as v${version}` }).click();
  await expect(
    page.getByText(`v${version} is the current version. You have no changes.`),
  ).toBeVisible();
}

/** Types before the page has rendered what was confirmed. */
async function confirmAndType(confirm: Locator, field: Locator, value: string): Promise<void> {
  const input = await field.elementHandle();
  await confirm.evaluate(
    (button, { input, value }) => {
      if (!(button instanceof HTMLElement && input instanceof HTMLInputElement)) throw new Error();
      button.click();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    { input, value },
  );
}

test('[SAS-2.1] a new user sets up a project on one page, and its first cycle starts', async ({
  page,
  request,
}) => {
  const { home: organization } = await foundOrganization(page);
  await page.goto(organization);
  await expect(page.getByText('No projects yet.').first()).toBeVisible();
  await page.getByRole('link', { name: 'New project' }).click();

  await test.step('what to watch', async () => {
    await page.getByRole('button', { name: 'Start first chain' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Name the project.');
    await page.getByLabel('Project', { exact: true }).fill('Checkout');
    await page.getByLabel('First service').fill(shopUrl);
    await expect(page.getByText('Watched by HTTP.')).toBeVisible();
    await page.getByLabel('Name').fill('shop');
    await page.getByRole('button', { name: 'Test now' }).click();
    await expect(page.getByText(/200 from 127\.0\.0\.1/)).toBeVisible();
    await expect(page.getByText('all is well')).toBeVisible();
  });

  await test.step('what was left comes back beside what is typed meanwhile', async () => {
    const comeAlive = await holdScripts(page);
    await page.reload({ waitUntil: 'commit' });
    await page.getByLabel('Project', { exact: true }).fill('Warehouse');
    comeAlive();
    await expect(page.getByLabel('First service')).toHaveValue(shopUrl);
    await expect(page.getByLabel('Name')).toHaveValue('shop');
    await expect(page.getByLabel('Project', { exact: true })).toHaveValue('Warehouse');
    await page.getByLabel('Project', { exact: true }).fill('Checkout');
  });

  await test.step('how often: the next five chains are shown', async () => {
    await expect(page.getByText('Every 12h.', { exact: true })).toBeVisible();
    const runs = page.getByRole('table', { name: 'The next five chains' });
    await expect(runs.getByRole('row')).toHaveCount(6);
    await page.getByText('Cron', { exact: true }).click();
    await page.getByLabel('Cron line').fill('*/7 25 * * *');
    await expect(page.getByText(/isn't a schedule: hour/)).toBeVisible();
    await page.getByText('Interval', { exact: true }).click();
  });

  await test.step('where it runs: the command turns to Connected', async () => {
    await expect(page.getByText('Demo agent, no model')).toBeVisible();
    await page.getByRole('button', { name: 'Show the command' }).click();
    const command = await page.locator('pre', { hasText: 'runner.mjs' }).textContent();
    const token = /TIERWATCH_ENROLLMENT_TOKEN=(\S+)/.exec(command ?? '')?.[1] ?? '';
    await connectRunner(request, token);
    await expect(page.getByText(/Connected: runner-/)).toBeVisible();
    await expect(page.getByText('No key is set.')).toBeVisible();
  });

  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Start first chain' }).click();
  await expect(page).toHaveURL(`${organization}/projects/checkout/chains/1`);

  await page.goto(`${organization}/projects/checkout`);
  await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'shop' }).first()).toBeVisible();
  // A scheduled one may have been skipped meanwhile, which names Chain #1 too.
  await expect(page.getByRole('row', { name: /^#1 / })).toBeVisible();
  await expectNoViolations(page);
});

test('[SAS-2.1] [SAS-2.2] every setting can be changed, and each save is a version', async ({
  page,
}) => {
  const settings = await setUpProject(page);

  await test.step('services and checks', async () => {
    await page.goto(`${settings}/services`);
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.getByLabel('Name', { exact: true }).nth(1).fill('shop');
    await page.getByLabel('URL').nth(1).fill('https://api.example/health');
    await page.getByRole('button', { name: 'Save as v2' }).click();
    const signal = page.getByRole('main').getByRole('alert').first();
    await expect(signal).toContainText('This name is used by another service.');
    await page.getByLabel('Name', { exact: true }).nth(1).fill('api');
    await save(page, 2);
  });

  await test.step('tiers: switching on lists what is gained, the argv follows', async () => {
    await page.goto(`${settings}/tiers?tier=2`);
    await page.getByRole('switch', { name: /Tier 2 · Safe remediation/ }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('Bash(docker restart {service})');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    const turns = page.getByLabel('Max turns');
    await confirmAndType(dialog.getByRole('button', { name: 'Switch on tier 2' }), turns, '60');
    await expect(page.getByRole('switch', { name: /Tier 2 · Safe remediation/ })).toBeChecked();
    await expect(turns).toHaveValue('60');
    await page.getByLabel(/^Allowed rules/).fill('Bash(sudo:*)');
    await page.getByLabel(/^Allowed rules/).press('Enter');
    await expect(page.getByText(/as wide as Bash itself/)).toBeVisible();
    const argv = page.locator('pre', { hasText: '--max-turns 60' });
    await expect(argv).toContainText('Bash(sudo:*)');
    await page.getByLabel(/^Tools/).fill('Task');
    await page.getByLabel(/^Tools/).press('Enter');
    await expect(page.getByText('Only the control plane starts tiers.')).toBeVisible();
    await saveRules(page, 3);
  });

  await test.step('schedule, thresholds, continuity, cooldowns, budgets', async () => {
    await page.goto(`${settings}/schedule`);
    await page.getByLabel('Every').fill('15m');
    await expect(page.getByText('Every 15m.')).toBeVisible();
    await save(page, 4);
    await page.goto(`${settings}/thresholds`);
    await page.getByLabel('Resume up to', { exact: true }).fill('0.7');
    await expect(page.getByText(/At 0\.70, chains hand off above 140k/)).toBeVisible();
    await page.getByText('Handoff', { exact: true }).first().click();
    await page.getByLabel('Re-read limit (tokens)').fill('120,000');
    await page.getByLabel('At most').first().fill('3');
    await save(page, 5);
    await page.goto(`${settings}/budgets`);
    await page.getByLabel('Per day').fill('12.5');
    await expect(page.getByText('warns at $10.00, stops at $12.50')).toBeVisible();
    await save(page, 6);
  });

  await test.step('dry run, pool, instructions', async () => {
    await page.goto(`${settings}/general`);
    await page.getByRole('switch', { name: 'Observe only' }).click();
    await page.getByLabel('Runner pool').fill('eu');
    await page.getByLabel('Instructions for the agent').fill('Leave the database alone.');
    await save(page, 7);
    // Nothing can run in the new pool, which is worse and stands first.
    await page.getByRole('button', { name: /^\+\d: show all notices$/ }).click();
    await expect(page.getByText(/Checkout is in dry run/)).toBeVisible();
  });

  await test.step('a webhook endpoint, whose secret is shown once', async () => {
    await page.goto(`${settings}/webhooks`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://hooks.acme.example/tierwatch');
    await expect(dialog.getByLabel('Projects')).toHaveText(/Only Checkout/);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await expect(dialog.locator('pre', { hasText: 'whsec_' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: /hooks\.acme\.example/ })).toBeVisible();
  });

  await test.step('versions name their author and difference; one is restored', async () => {
    await page.goto(`${settings}/versions`);
    const fifth = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'v5' }) });
    await expect(fifth).toContainText('Context threshold');
    await expect(fifth).toContainText('0.8 0.7');
    await expect(fifth).toContainText('@example.com');
    await fifth.getByRole('button', { name: 'Restore v5' }).click();
    const restore = page.getByRole('alertdialog');
    await expect(restore.getByRole('region')).toHaveCount(0);
    await restore.getByRole('button', { name: 'Restore v5' }).click();
    await expect(page.getByText('Restored v5')).toBeVisible();
    await page.goto(`${settings}/budgets`);
    await expect(page.getByLabel('Per day')).toHaveValue('50');
    await expect(page.getByText('v8 is the current version. You have no changes.')).toBeVisible();
  });
});

test('[SAS-2.2] who edits is told at once that somebody else has saved, and puts theirs on top', async ({
  page,
}) => {
  const settings = await setUpProject(page);
  await page.goto(`${settings}/budgets`);
  await page.getByLabel('Per day').fill('20');
  await savedElsewhere(page, settings, { limit: '0.6', version: 2 });
  await putOnTop(page, { limit: '20', version: 3 });

  await test.step('the second save of two loses nothing, even unnoticed', async () => {
    const hearsAgain = await keepInTheDark(page);
    await page.getByLabel('Per day').fill('30');
    await savedElsewhere(page, settings, { limit: '0.7', version: 4 });
    await page.getByRole('button', { name: 'Save as v4' }).click();
    hearsAgain();
    await putOnTop(page, { limit: '30', version: 5 });
  });

  await page.goto(`${settings}/thresholds`);
  await expect(page.getByLabel('Resume up to', { exact: true })).toHaveValue('0.7');
});

/** The page's scripts arrive only once the answer is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let comeAlive = () => {};
  const alive = new Promise<void>((resolve) => {
    comeAlive = resolve;
  });
  await page.route(/\.js(\?|$)/, async (route) => {
    await alive;
    await route.continue();
  });
  return comeAlive;
}

interface Saved {
  /** What is typed. */
  limit: string;
  /** What it is saved as. */
  version: number;
}

/** Somebody else saves in another tab; `page` stays as it is, in front. */
async function savedElsewhere(page: Page, settings: string, saved: Saved): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`${settings}/thresholds`);
  await other.getByLabel('Resume up to', { exact: true }).fill(saved.limit);
  await save(other, saved.version);
  await other.close();
  await page.bringToFront();
}

/** The page asks again for what it shows only once the answer is called. */
async function keepInTheDark(page: Page): Promise<() => void> {
  let hearsAgain = () => {};
  const told = new Promise<void>((resolve) => {
    hearsAgain = resolve;
  });
  await page.route(
    (url) => url.searchParams.has('_rsc'),
    async (route) => {
      await told;
      await route.continue();
    },
  );
  return hearsAgain;
}

async function putOnTop(page: Page, { limit, version }: Saved): Promise<void> {
  const conflict = page
    .getByRole('alert')
    .filter({ hasText: `saved v${version - 1} while you edited` });
  await expect(conflict).toContainText('Your changes are kept here.');
  await expect(page.getByLabel('Per day')).toHaveValue(limit);
  await conflict.getByRole('button', { name: `Apply mine on v${version - 1}` }).click();
  await save(page, version);
}
