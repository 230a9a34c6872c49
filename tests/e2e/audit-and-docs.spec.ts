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
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Acme renamed');
  const form = page.locator('form').filter({ has: name });
  await form.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByText('Acme renamed').first()).toBeVisible();

  await page.goto(`${home}/audit`);
  const table = page.getByRole('table', { name: 'Audit entries' });
  // The rows of details stay hidden until their entry is opened.
  const entries = table.getByRole('row').filter({ has: page.locator('summary') });
  // The organization, the sign-in and the new name.
  await expect(entries).toHaveCount(3);
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
    ['JSON lines', '{"seq":3,'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export as ${label}` }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text.startsWith(start)).toBe(true);
    expect(text).toContain('organization.changed');
    expect(text).not.toContain('organization.created');
  }

  // Both exports are entries themselves.
  await page.getByRole('button', { name: 'Verify the log' }).click();
  const verified = page.getByText(/Verified up to entry 5: 5 entries, 0 gaps\./);
  await expect(verified).toContainText('There is no anchor to compare the log with.');
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(verified).toContainText('The log matches its signed anchors');

  await page.getByLabel('Action').selectOption('runner');
  await expect(page.getByText('No entries match these filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(entries).toHaveCount(5);
  await expect(entries.first()).toContainText('Exported data');
});

test('[SAS-6.2] the API reference lists every operation and is linked into', async ({ page }) => {
  await page.goto('/docs/reference');
  const found = page.getByRole('link', { name: /POST.*\/projects\/.*\/chains$/ });
  await expect(found).toHaveCount(1);
  await expectSound(page);
  await found.click();
  await expect(page).toHaveURL(/\/docs\/reference\/chains#postProjectsByProjectIdChains$/);
  const operation = page.locator('#postProjectsByProjectIdChains');
  await expect(operation.getByText('chains:run')).toBeVisible();
  await expect(operation.getByText('Idempotency-Key', { exact: true })).toBeVisible();
  await expect(operation.locator('pre')).toContainText('curl -X POST');
  await expectSound(page);
});

const GUIDES = [
  ...['Watch a Docker host', 'Watch Kubernetes', 'Watch systemd services', 'Send alerts to Slack'],
  ...['Your first tier 2', 'Set up a locked-down runner host', 'Back up and restore'],
  ...['Troubleshooting', 'Glossary'],
];

test('[PAG-3.2] every page of the manual is there for anyone, with its pictures', async ({
  page,
}) => {
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible();
  const main = page.getByRole('main');
  for (const name of GUIDES) await expect(main.getByRole('link', { name })).toBeVisible();
  // A browser opens each of them in routes/every-route.spec.ts.
  const pictures = new Set<string>();
  for (const { slug, title } of DOC_PAGES) {
    const html = await (await page.request.get(`/docs/${slug}`)).text();
    expect(html).toContain(`<title>${title} · Tierwatch documentation</title>`);
    for (const [tag] of html.matchAll(/<img [^>]*>/g)) {
      expect(tag, slug).toMatch(/ alt="[^"]*\w{3,} \w+/);
      pictures.add(/ src="([^"]*)"/.exec(tag)?.[1] ?? slug);
    }
  }
  expect(pictures.size).toBeGreaterThan(5);
  for (const src of pictures) {
    const { 'content-type': type } = (await page.request.get(src)).headers();
    expect(type, src).toBe('image/png');
  }
  await test.step('a browser shows them', async () => {
    await page.goto('/docs/concepts');
    for (const picture of await main.getByRole('img').all()) {
      await picture.scrollIntoViewIfNeeded();
      const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
      await expect.poll(width).toBe(1280);
    }
  });
  expect((await page.request.get('/docs/images/nothing.png')).status()).toBe(404);
  expect((await page.request.get('/docs/images/..%2Fapi.md')).status()).toBe(404);
  await page.goto('/docs/nothing');
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});

test('[PAG-3.2] the manual is searched with the keyboard', async ({ page }) => {
  await page.goto('/docs/quick-start');
  const field = page.getByLabel('Search the documentation');
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(field).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type('cooldown human');
  const results = page.getByRole('list', { name: 'Search results' });
  const first = results.getByRole('link').first();
  await expect(first).toContainText('Needs a human: cooldown');
  await expectSound(page);
  await page.keyboard.press('ArrowDown');
  await expect(first).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(results).toBeHidden();
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/troubleshooting#needs-a-human-cooldown$/);
  await expect(page.locator('#needs-a-human-cooldown')).toBeInViewport();

  await field.fill('zebra unicorn');
  await expect(page.getByText('No pages match “zebra unicorn”.')).toBeVisible();
});

test('[PAG-3.2] a search of the manual says when its index could not be loaded', async ({
  page,
}) => {
  let isDown = true;
  await page.route('**/docs/search.json', (route) => (isDown ? route.abort() : route.continue()));
  await page.goto('/docs/api');
  const field = page.getByLabel('Search the documentation');
  const failed = page.getByText('The search index couldn’t be loaded.');
  await expect(async () => {
    await field.fill('');
    await field.fill('webhook');
    await expect(failed).toBeVisible({ timeout: 500 });
  }).toPass();
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Search results' })).toBeVisible();
});

test('[PAG-3.2] a page of the manual lists its headings and leads to the next one', async ({
  page,
}) => {
  await page.goto('/docs/webhooks');
  const contents = page.getByRole('navigation', { name: 'On this page', exact: true });
  const events = contents.getByRole('link', { name: 'Events', exact: true });
  await events.click();
  await expect(page).toHaveURL(/#events$/);
  await expect(events).toHaveAttribute('aria-current', 'location');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(contents.getByRole('link').last()).toHaveAttribute('aria-current', 'location');
  await expect(events).not.toHaveAttribute('aria-current');

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'Copy link to The delivery log' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/\/docs\/webhooks#the-delivery-log$/);

  const at = DOC_PAGES.findIndex(({ slug }) => slug === 'webhooks');
  const steps = page.getByRole('navigation', { name: 'Previous and next page' });
  await steps.getByRole('link', { name: `Next ${DOC_PAGES[at + 1]?.title}` }).click();
  await expect(page).toHaveURL(new RegExp(`/docs/${DOC_PAGES[at + 1]?.slug}$`));
  await steps.getByRole('link', { name: `Previous ${DOC_PAGES[at]?.title}` }).click();
  await expect(page).toHaveURL(/\/docs\/webhooks$/);

  await page.setViewportSize(PHONE);
  await page.locator('summary').filter({ hasText: 'On this page' }).click();
  const folded = page.getByRole('navigation', { name: 'On this page, folded' });
  await folded.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Events', exact: true })).toBeInViewport();
});
