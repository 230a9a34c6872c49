import type { Page, Route } from '@playwright/test';

/** Refreshes a live page in place, and has a step take place before the server answers. */
export async function refreshDuring(page: Page, step: () => Promise<void>): Promise<void> {
  let release = () => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    if (route.request().headers().rsc) await done;
    await route.continue();
  };
  const { pathname } = new URL(page.url());
  const isPage = (url: URL) => url.pathname === pathname;
  await page.route(isPage, hold);
  try {
    const asked = page.waitForRequest(
      (request) => isPage(new URL(request.url())) && request.headers().rsc !== undefined,
    );
    // A page that is shown again asks for what it has missed.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const request = await asked;
    await step();
    release();
    await request.response();
  } finally {
    release();
    await page.unroute(isPage, hold);
  }
}
