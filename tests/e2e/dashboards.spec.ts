import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { Demo } from './support/demo';
import { expectNoViolationsInBothThemes } from './support/violations';

const dataDir = process.env.TIERWATCH_E2E_DATA_DIR ?? path.join(os.tmpdir(), 'tierwatch-e2e');

// Pages with eight pictures take their time on a busy machine.
test.describe.configure({ timeout: 300_000 });

/** Into the demo organization, whose project runs cycles by itself. Answers its address. */
async function signIn(page: Page): Promise<string> {
  const account = JSON.parse(await readFile(path.join(dataDir, 'demo-account.json'), 'utf8'));
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  return `/${account.organization}`;
}

// A cycle of its own: the schedule's next one may be minutes away.
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await (await Demo.open(page)).run();
  await page.close();
});

/** Until a cycle of the demo project has ended and booked what it used. */
async function waitForCost(page: Page, organization: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${organization}/projects/checkout/spend?range=90d&by=tier`);
    await expect(page.getByRole('table', { name: 'Spend by tier' })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 90_000 });
}

function plot(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

test('[SAS-4.1] a plot is read as a picture and as a table, and each column leads to its rows', async ({
  page,
}) => {
  const organization = await signIn(page);
  await waitForCost(page, organization);
  await page.goto(`${organization}/projects/checkout?range=24h`);
  const outcomes = plot(page, 'Chains by outcome');
  await expect(outcomes.getByText(/cycles? in the last 24 hours: /)).toBeVisible();
  await expect(outcomes.locator('svg.recharts-surface')).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  await test.step('one stop of Tab; arrows move, the figures follow', async () => {
    const columns = outcomes.getByRole('list', { name: /^Chains by outcome/ }).getByRole('link');
    await expect(columns).toHaveCount(24);
    await columns.last().focus();
    await expect(columns.last()).toHaveAccessibleName(/so far: /);
    await page.keyboard.press('ArrowLeft');
    await expect(columns.nth(22)).toBeFocused();
    await page.keyboard.press('Home');
    await expect(columns.first()).toBeFocused();
    await expect(columns.first()).toHaveAttribute('tabindex', '0');
  });

  await test.step('the table has the same figures, and the address keeps it', async () => {
    await outcomes.getByText('Table', { exact: true }).click();
    const table = outcomes.getByRole('table', { name: 'Chains by outcome' });
    await expect(table.getByRole('row')).toHaveCount(25);
    await expect(page).toHaveURL(/[?&]table=outcomes/);
    await page.reload();
    await expect(table).toBeVisible();
    await expectNoViolationsInBothThemes(page);
  });

  await test.step('a range keeps the table, and a row leads to its chains', async () => {
    await page.getByRole('navigation', { name: 'Range' }).getByText('7 d').click();
    const table = outcomes.getByRole('table', { name: 'Chains by outcome' });
    await expect(table.getByRole('row')).toHaveCount(8);
    await table.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/chains\?from=.*&to=/);
    await expect(page.getByRole('list', { name: 'Further filters' })).toContainText('Started');
    await expect(page.getByRole('table', { name: 'Chains' }).getByRole('row').nth(1)).toBeVisible();
  });
});

test('[SAS-4.1] analytics shows all eight plots, and says so where there is nothing to draw', async ({
  page,
}) => {
  const organization = await signIn(page);
  await waitForCost(page, organization);
  await page.goto(`${organization}/analytics?range=24h`);
  for (const title of [
    ...['Chains by outcome', 'Escalation rate', 'Confirmed fixes', 'Time to recovery'],
    ...['Cost by tier', 'Resume or handoff', 'Queue wait', 'Runner use'],
  ]) {
    await expect(plot(page, title)).toBeVisible();
  }
  await expect(plot(page, 'Queue wait').locator('svg.recharts-surface')).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv).toContain('Chains by outcome\r\nwhen,');
  expect(csv).toContain('Runner use\r\nwhen,');
});

test('[SAS-4.1] what was spent is the sum of its rows, down to a session, and as CSV', async ({
  page,
}) => {
  const organization = await signIn(page);
  await waitForCost(page, organization);
  const table = page.getByRole('table', { name: 'Spend by tier' });
  await expectNoViolationsInBothThemes(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  const costs = lines.map((line) => Number(line.split(',').at(-2)));
  const rows = costs.slice(1, -1).filter((cost) => !Number.isNaN(cost));
  expect(rows.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(costs.at(-1) ?? 0, 6);

  await table.getByRole('link').first().click();
  await expect(page).toHaveURL(/by=session/);
  await page.getByRole('table', { name: 'Spend by session' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/sessions\/\d+\/ledger$/);
});

test('[SAS-4.3] a service is snoozed on its page, with a reason, and woken again', async ({
  page,
}) => {
  const organization = await signIn(page);
  await waitForCost(page, organization);
  await page.goto(`${organization}/projects/checkout/services/web`);
  await expect(page.getByRole('table', { name: 'Checks' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await page.getByRole('button', { name: 'Snooze for another time' }).click();
  await page.getByRole('menuitem', { name: 'For another time…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('For', { exact: true }).fill('2 fortnights');
  await dialog.getByRole('button', { name: 'Snooze web' }).click();
  await expect(dialog).toContainText('Enter a time, such as 20m or 1h 30m.');
  await dialog.getByLabel('For', { exact: true }).fill('90m');
  await dialog.getByLabel('Reason').fill('moving the disk');
  await dialog.getByRole('button', { name: 'Snooze web' }).click();
  await expect(page.getByText(/Snoozed by .*: moving the disk/)).toBeVisible();
  await page.getByRole('button', { name: 'End the snooze' }).click();
  await expect(page.getByRole('button', { name: 'Snooze 20 min' })).toBeVisible();
});
