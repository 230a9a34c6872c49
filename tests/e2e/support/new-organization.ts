import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

export const PASSWORD = 'correct horse battery';

export interface NewOrganization {
  /** Its path: "/acme-1f2e3d4c5b". */
  home: string;
  name: string;
  /** In its name and in the address of its owner, so that tests do not meet. */
  tag: string;
  /** Of Ana Ruiz, who owns it and is signed in. */
  email: string;
}

/** Signs Ana up in the page's own browser. */
export async function foundOrganization(page: Page): Promise<NewOrganization> {
  const tag = randomBytes(5).toString('hex');
  const name = `Acme ${tag}`;
  const email = `ana-${tag}@example.com`;
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Ana Ruiz');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Organization').fill(name);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return { home: new URL(page.url()).pathname, name, tag, email };
}
