import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { foundOrganization } from './support/new-organization';

const TYPED = 'Acme, not saved yet';
const HEADER = 'x-tierwatch-build';

/** Has the router's data come from another build, as after a deploy. */
async function deploy(page: Page): Promise<void> {
  const own = (await readFile(path.join('.next', 'BUILD_ID'), 'utf8')).trim();
  const other = `next-${own}`.slice(0, own.length);
  await page.route(
    (url) => url.searchParams.has('_rsc'),
    async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        headers: { ...answer.headers(), [HEADER]: other },
        body: (await answer.text()).replaceAll(own, other),
      });
    },
  );
}

const refresh = (page: Page) => page.evaluate(() => window.next?.router.refresh());

for (const when of ['before it was refreshed', 'after it was refreshed'] as const) {
  test(`[FLT-2.7] a page that is opened and outdated ${when} keeps its input and asks for a reload`, async ({
    page,
  }) => {
    const organization = await foundOrganization(page);
    if (when === 'before it was refreshed') await deploy(page);
    await page.goto(`${organization.home}/settings/general`);
    const field = page.getByLabel('Name', { exact: true });
    await expect(page.getByRole('banner').getByRole('status')).toHaveText('Live');
    await page.evaluate(() => document.documentElement.setAttribute('data-document', 'first'));
    await field.fill(TYPED);
    if (when === 'after it was refreshed') {
      await refresh(page);
      await deploy(page);
    }

    await refresh(page);
    await expect(page.getByText('Tierwatch was updated')).toBeVisible();
    await refresh(page);
    await expect(field).toHaveValue(TYPED);

    await test.step('its actions still work, or say that they are too old', async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Organization saved.')).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-document', 'first');
    });

    await test.step('a reload brings the new page', async () => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Reload', exact: true }).click();
      await expect(page.locator('html')).not.toHaveAttribute('data-document', 'first');
      await expect(page.getByText('Tierwatch was updated')).toBeHidden();
      await expect(field).toHaveValue(TYPED);
    });
  });
}
