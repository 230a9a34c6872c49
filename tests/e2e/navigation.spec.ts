import { expect, type Page, test } from '@playwright/test';
import { signInToDemo } from './support/demo';

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

let home: string;
let chains: string;
const chainsLink = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Chains' }).first();

test.beforeEach(async ({ page }) => {
  home = `/${await signInToDemo(page)}`;
  chains = `${home}/chains`;
});

test('a page requests no other one until a pointer rests on its link', async ({ page }) => {
  const prefetches = prefetchesOf(page);
  await page.goto(home);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  // Links in view are prefetched, if at all, before the browser is idle.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(prefetches).toEqual([]);

  const link = chainsLink(page);
  await link.hover();
  await expect.poll(() => prefetches).toContain(chains);
  expect(new Set(prefetches)).toEqual(new Set([chains]));
  await link.click();
  await page.waitForURL(`**${chains}`);
});

test('the old page shows that the next one is loading, and stays until it is there', async ({
  page,
}) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**${chains}?_rsc=*`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(home);
  const loading = page.getByRole('progressbar', { name: 'Loading the page' });
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  await expect(loading).toHaveCount(0);

  await chainsLink(page).click();
  await expect(loading).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(home);

  answer();
  await page.waitForURL(`**${chains}`);
  await expect(loading).toHaveCount(0);
});

test('a page that couldn’t be opened is no longer shown as loading', async ({ page }) => {
  await page.route(`**${chains}?_rsc=*`, (route) => route.abort());
  await page.goto(home);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  await chainsLink(page).click();
  await expect(page.getByText('so this page stays open')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toHaveCount(0);
});
