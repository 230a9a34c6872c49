import { expect, type Page, test } from '@playwright/test';
import { demoAccount } from './support/demo';

/** Pages that the browser asked for beside the one that was opened, by their path. */
function prefetchesOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const headers = request.headers();
    const isPrefetch =
      'next-router-prefetch' in headers || 'next-router-segment-prefetch' in headers;
    if (isPrefetch) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test('a page requests no other one until a pointer rests on its link', async ({ page }) => {
  const account = demoAccount();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  const chains = `/${account.organization}/chains`;

  const prefetches = prefetchesOf(page);
  await page.goto(`/${account.organization}`);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  // Links in view are prefetched, if at all, before the browser is idle.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(prefetches).toEqual([]);

  const link = page.getByRole('navigation').getByRole('link', { name: 'Chains' }).first();
  await link.hover();
  await expect.poll(() => prefetches).toContain(chains);
  expect(new Set(prefetches)).toEqual(new Set([chains]));
  await link.click();
  await page.waitForURL(`**${chains}`);
});
