import { expect, test } from '@playwright/test';
import { type ClosableDatabase, closableDatabase } from './support/closable-database';
import { foundOrganization } from './support/new-organization';

let database: ClosableDatabase;

test.beforeEach(() => {
  database = closableDatabase();
});

test.afterEach(() => database.open());

test('[FLT-2.5] a page keeps what it shows and what was typed while the database is away', async ({
  page,
}) => {
  const organization = await foundOrganization(page);
  await page.goto(`${organization.home}/settings/general`);
  const field = page.getByLabel('Name', { exact: true });
  const mark = page.getByRole('banner').getByRole('status');
  await expect(mark).toHaveText('Live');
  const typed = 'Acme, not saved yet';
  await field.fill(typed);
  await page.evaluate(() => document.documentElement.setAttribute('data-document', 'first'));
  const refresh = () => page.evaluate(() => window.next?.router.refresh());
  const expectKept = async () => {
    await expect(page.locator('html')).toHaveAttribute('data-document', 'first');
    await expect(field).toHaveValue(typed);
    await expect(page.getByText('Couldn’t load this page')).toBeHidden();
  };

  await test.step('it says since when it is stale', async () => {
    await database.close();
    await refresh();
    await expect(mark).toHaveText(/^Offline, showing \d\d:\d\d:\d\d$/, { timeout: 60_000 });
    await expectKept();
    const bar = page.getByRole('status').filter({ hasText: /^Offline since/ });
    await expect(bar).toContainText('its database, queue or worker doesn’t', { timeout: 60_000 });
  });

  await test.step('it refuses an action in place', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('so nothing was sent', { exact: false })).toBeVisible();
    await expectKept();
  });

  await test.step('it catches up by itself', async () => {
    await database.open();
    await expect(mark).toHaveText('Live', { timeout: 60_000 });
    await expectKept();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Organization saved.')).toBeVisible();
  });
});
