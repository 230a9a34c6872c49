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

const linkTo = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name }).first();

test('a page requests no other one until a pointer rests on its link, and stays until the next one is there', async ({
  page,
}) => {
  const home = `/${await signInToDemo(page)}`;
  const prefetches = prefetchesOf(page);
  await page.goto(home);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  const loading = page.getByRole('progressbar', { name: 'Loading the page' });

  await test.step('only the page of the link under the pointer is prefetched', async () => {
    // Links in view are prefetched, if at all, before the browser is idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(prefetches).toEqual([]);
    const link = linkTo(page, 'Chains');
    await link.hover();
    await expect.poll(() => prefetches).toContain(`${home}/chains`);
    expect(new Set(prefetches)).toEqual(new Set([`${home}/chains`]));
    await link.click();
    await page.waitForURL(`**${home}/chains`);
  });

  await test.step('a page that couldn’t be opened is no longer shown as loading', async () => {
    await page.route(`**${home}/activity?_rsc=*`, (route) => route.abort());
    await linkTo(page, 'Activity').click();
    await expect(page.getByText('so this page stays open')).toBeVisible();
    await expect(loading).toHaveCount(0);
  });

  await test.step('the old page shows that the next one is loading', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**${home}/sessions?_rsc=*`, async (route) => {
      await held;
      await route.continue();
    });
    await linkTo(page, 'Sessions').click();
    await expect(loading).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`${home}/chains`);
    answer();
    await page.waitForURL(`**${home}/sessions`);
    await expect(loading).toHaveCount(0);
  });
});
