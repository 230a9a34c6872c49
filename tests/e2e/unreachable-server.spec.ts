import { expect, type Locator, type Page, type Request, test } from '@playwright/test';
import { type CuttableLine, type Failure, openCuttableLine } from './support/cuttable-line';
import { foundOrganization, type NewOrganization } from './support/new-organization';

declare global {
  interface Window {
    /** Next's own, in the browser. */
    next?: { router: { refresh: () => void; push: (href: string) => void } };
  }
}

let line: CuttableLine;
let organization: NewOrganization;

test.beforeEach(async ({ page, baseURL }) => {
  line = await openCuttableLine(baseURL ?? '');
  organization = await foundOrganization(page);
});

test.afterEach(() => line.close());

/** The page with text in a field that isn't saved, behind the line. */
class OpenPage {
  typed = '';
  readonly field: Locator;
  readonly mark: Locator;
  /** Of the organization, as it was saved last. */
  savedName = organization.name;
  /** How many refreshes have arrived whole. */
  refreshCount = 0;

  constructor(private readonly page: Page) {
    this.field = page.getByLabel('Name', { exact: true });
    this.mark = page.getByRole('banner').getByRole('status');
    page.on('requestfinished', (request) => {
      if (isRefresh(request)) this.refreshCount += 1;
    });
  }

  async open(): Promise<void> {
    // The test turns its hours forward; without that it runs as it is.
    await this.page.clock.install();
    const path = `${organization.home}/settings/general`;
    await this.page.goto(`${line.url}${path}`);
    await expect(this.mark).toHaveText('Live');
    // The first hint of its stream refreshes a page that may have aged on its way.
    await expect.poll(() => this.refreshCount).toBeGreaterThan(0);
    await this.type('Acme, not saved yet');
    await this.page.evaluate(() => document.documentElement.setAttribute('data-document', 'first'));
  }

  async type(text: string): Promise<void> {
    this.typed = text;
    await this.field.fill(text);
  }

  /** What an interval, a hint and a finished action lead to. */
  async refresh(): Promise<void> {
    await this.page.evaluate(() => window.next?.router.refresh());
  }

  async expectKept(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-document', 'first');
    await expect(this.field).toHaveValue(this.typed);
  }
}

function isRefresh(request: Request): boolean {
  const headers = request.headers();
  const isOfPage = new URL(request.url()).pathname.endsWith('/settings/general');
  return isOfPage && 'rsc' in headers && !('next-router-prefetch' in headers);
}

/** Somebody else's change, past the line. */
async function rename(page: Page, name: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`${organization.home}/settings/general`);
  await other.getByLabel('Name', { exact: true }).fill(name);
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText('Organization saved.')).toBeVisible();
  await other.close();
}

const failures: { how: Failure; bar: string }[] = [
  { how: 'refuses', bar: 'Showing the last known state' },
  { how: 'hangs', bar: 'Showing the last known state' },
  { how: 'bad_gateway', bar: 'A proxy answered with 502 instead.' },
];

test('[FLT-2.5] a page keeps what it shows and what was typed while its server is away, and catches up', async ({
  page,
}) => {
  const open = new OpenPage(page);
  await open.open();
  for (const { how, bar } of failures) {
    await test.step(`its server ${how}`, () => outlast(page, open, how, bar));
  }
});

async function outlast(page: Page, open: OpenPage, how: Failure, bar: string): Promise<void> {
  await open.type(`Acme, not saved: the server ${how}`);
  await line.fail(how);

  await test.step('it says since when it is stale', async () => {
    await page.clock.fastForward(31_000);
    // What was said about the failure before this one.
    await expect(page.getByText(/so nothing was sent|Organization saved\./)).toHaveCount(0);
    await open.refresh();
    await expect(open.mark).toHaveText(/^Offline, showing \d\d:\d\d:\d\d$/, { timeout: 60_000 });
    await page.clock.fastForward('10:00');
    const status = page.getByRole('status').filter({ hasText: /^Offline since \d\d:\d\d\./ });
    await expect(status).toContainText(bar);
    await open.expectKept();
  });

  await test.step('it refuses an action in place', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('so nothing was sent', { exact: false })).toBeVisible();
    await open.expectKept();
  });

  await test.step('it refuses to leave for a page that cannot come', async () => {
    const links = [
      // The router knows the first of these pages from a prefetch, and not the second.
      page.getByRole('banner').getByRole('link', { name: open.savedName }),
      page.getByRole('navigation').getByRole('link', { name: 'Activity', exact: true }),
    ];
    for (const link of links) {
      await link.click();
      const notice = page.getByText('so this page stays open', { exact: false });
      await expect(notice).toBeVisible();
      await page.getByRole('button', { name: 'Close toast' }).click();
      await expect(notice).toBeHidden();
      await open.expectKept();
      await expect(page).toHaveURL(/\/settings\/general$/);
    }
  });

  await test.step('a page that was not opened holds back no other answer', async () => {
    await open.field.fill(`${open.typed}.`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
    await expect(page.getByText('so nothing was sent', { exact: false })).toBeVisible();
    await open.field.fill(open.typed);
    await open.expectKept();
  });

  await test.step('it catches up by itself, with one refresh', async () => {
    const renamed = `${how} ${organization.tag}`;
    await rename(page, renamed);
    const before = open.refreshCount;
    await line.repair();
    await expect(open.mark).toHaveText('Live');
    await expect(page.getByText(renamed, { exact: true }).first()).toBeVisible();
    await open.expectKept();
    expect(open.refreshCount - before).toBe(1);
  });

  await test.step('it works as before', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Organization saved.')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-document', 'first');
    open.savedName = open.typed;
    const home = page.getByRole('banner').getByRole('link', { name: open.savedName });
    await expect(home).toBeVisible();
  });
}

const answers: [string, (url: string) => { status: number; headers?: Record<string, string> }][] = [
  ['502 from a proxy', () => ({ status: 502 })],
  ['a login page', () => ({ status: 200 })],
  [
    'a redirect to a login page',
    (url) => ({ status: 302, headers: { location: `${url}/icon.svg` } }),
  ],
];

test('[FLT-2.5] no answer that is lost, or that isn’t one of the product, replaces what a page shows', async ({
  page,
}) => {
  const open = new OpenPage(page);
  await open.open();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const saved = page.getByText('Organization saved.');

  await test.step('a part whose code cannot be loaded opens when the server is back', async () => {
    await line.fail('refuses');
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    await expect(open.mark).toHaveText(/^Offline/);
    await open.expectKept();
    await line.repair();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await open.expectKept();
    await expect(open.mark).toHaveText('Live');
  });

  for (const [answer, response] of answers) {
    await test.step(`a refresh answered by ${answer} changes nothing`, async () => {
      const body = '<html><h1>Not Tierwatch</h1></html>';
      const isRefreshed = (url: URL) => url.searchParams.has('_rsc');
      await page.route(isRefreshed, (route) =>
        route.fulfill({ ...response(line.url), contentType: 'text/html', body }),
      );
      for (let round = 1; round <= 3; round += 1) {
        const answered = page.waitForResponse((found) => isRefresh(found.request()));
        await open.refresh();
        await (await answered).finished();
      }
      await save.click();
      await expect(saved).toBeVisible();
      await open.expectKept();
      await page.getByRole('button', { name: 'Close toast' }).first().click();
      await expect(saved).toBeHidden();
      await page.unroute(isRefreshed);
    });
  }

  await test.step('an action whose answer is lost says that its outcome is unknown', async () => {
    await page.route(
      (url) => url.pathname.endsWith('/settings/general'),
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        await route.abort('connectionreset');
      },
    );
    await save.click();
    await expect(
      page.getByText('we don’t know whether this was done', { exact: false }),
    ).toBeVisible();
    await open.expectKept();
  });
});
