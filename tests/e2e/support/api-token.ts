import { expect, type Page } from '@playwright/test';

/** Makes a token for everything, as a signed-in owner does. */
export async function makeToken(page: Page, organizationSlug: string): Promise<string> {
  await page.goto(`/${organizationSlug}/settings/tokens`);
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('end to end');
  await dialog.getByText('Everything', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByText(/twk_[0-9A-Za-z]+/).first();
  await expect(shown).toBeVisible();
  return /twk_[0-9A-Za-z_]+/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
}
