import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { ScriptedRunner } from './support/scripted-runner';

/** Signs up, sets a project up, and lets one cycle run to its end, which books $0.03. */
async function projectWithOneCycle(page: Page): Promise<string> {
  const tag = randomBytes(5).toString('hex');
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Ana Ruiz');
  await page.getByLabel('E-mail').fill(`ana-${tag}@example.com`);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel('Organization').fill(`Acme ${tag}`);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Acme ${tag}` })).toBeVisible();
  return new URL(page.url()).pathname;
}

async function expectNoViolations(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect((await new AxeBuilder({ page }).analyze()).violations, theme).toEqual([]);
  }
}
