import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { DOC_PAGES } from '@/app/docs/_pages/pages';
import { foundOrganization } from './support/new-organization';
import { expectNoViolationsInBothThemes } from './support/violations';

const PHONE = { width: 390, height: 844 };

/** In both themes: no violation, and nothing that scrolls sideways on a phone. */
async function expectSound(page: Page): Promise<void> {
  await expectNoViolationsInBothThemes(page);
  const desk = page.viewportSize();
  await page.setViewportSize(PHONE);
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide), page.url()).toBe(false);
  if (desk) await page.setViewportSize(desk);
}

test('[SAS-6.1] the audit log is filtered, opened, verified and exported', async ({ page }) => {
  const { home } = await foundOrganization(page);
  await page.goto(`${home}/settings/general`);
  // The mark of the live connection: from here on the page answers.
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Acme renamed');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByText('Acme renamed').first()).toBeVisible();

  await page.goto(`${home}/audit`);
  const table = page.getByRole('table', { name: 'Audit entries' });
  // The rows of details stay hidden until their entry is opened.
  const entries = table.getByRole('row').filter({ has: page.locator('summary') });
  await expect(entries).toHaveCount(2);
  await page.getByLabel('Action').selectOption('organization.changed');
  await expect(page).toHaveURL(/action=organization\.changed/);
  await expect(entries).toHaveCount(1);
  await expect(entries.first()).toContainText('Changed the organization’s name');
  await expect(entries.first().getByRole('cell').last()).toHaveText('The organization');
  await expect(table.getByRole('deletion')).toHaveCount(0);
  await entries.first().locator('summary').click();
  await expect(table.getByRole('deletion').first()).toContainText('Acme');
  await expect(table.getByRole('insertion').first()).toContainText('Acme renamed');
  await expectSound(page);

  for (const [label, start] of [
    ['CSV', '\uFEFFseq,at,actor'],
    ['JSON lines', '{"seq":2,'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export as ${label}` }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text.startsWith(start)).toBe(true);
    expect(text).toContain('organization.changed');
    expect(text).not.toContain('organization.created');
  }

  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(page.getByText(/Verified up to entry 2: 2 entries, 0 gaps\. Checked/)).toBeVisible();

  await page.getByLabel('Action').selectOption('runner');
  await expect(page.getByText('No entries match these filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(entries).toHaveCount(2);
});

test('[SAS-6.2] the API reference is searched and linked into', async ({ page }) => {
  await page.goto('/docs/reference');
  await page.getByLabel('Search operations').fill('idempotency chains run');
  const found = page.getByRole('link', { name: /POST.*\/chains$/ });
  await expect(found).toHaveCount(1);
  await expect(page).toHaveURL(/q=idempotency/);
  await expectSound(page);
  await found.click();
  await expect(page).toHaveURL(/\/docs\/reference\/chains#postProjectsByProjectIdChains$/);
  const operation = page.locator('#postProjectsByProjectIdChains');
  await expect(operation.getByText('chains:run')).toBeVisible();
  await expect(operation.getByText('Idempotency-Key', { exact: true })).toBeVisible();
  await expect(operation.locator('pre')).toContainText('curl -X POST');
  await expectSound(page);
  await page.goto('/docs/reference?q=none-of-this');
  await expect(page.getByText('No operations match this search.')).toBeVisible();
});

test('every page of the documentation is there for anyone', async ({ page }) => {
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible();
  for (const { slug, title } of DOC_PAGES) {
    await page.goto(`/docs/${slug}`);
    await expect(page).toHaveTitle(`${title} · Tierwatch documentation`);
  }
  await page.goto('/docs/nothing');
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});
