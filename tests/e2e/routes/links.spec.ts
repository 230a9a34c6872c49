/** Follows every link of the product, as each role sees it, and as nobody in particular. */
import { randomBytes } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import { joinAs } from '../support/sign-in';
import { expect, type Story, test } from '../support/story';
import { type Crawl, crawl, linksIn, pagePatternOf, patternOf } from './crawl';
import { collectProblems } from './problems';

const startOf = ({ demo, chain }: Story) => [
  '/',
  '/orgs',
  '/me',
  '/docs',
  `/${demo.organization}`,
  demo.root,
  `${demo.root}/chains/${chain.number}`,
];
const PUBLIC_START = ['/', '/sign-in', '/sign-up', '/reset', '/docs', '/docs/reference'];

const isDownload = (address: string) => /\.(?:csv|txt|yaml|json)\b|\/entries\b/.test(address);

/**
 * Opens an address of each page as a click on its link does, and collects what goes wrong in it. That a browser loads
 * each page without an error is proven by the spec of every route.
 */
async function problemsOf(context: BrowserContext, { visited }: Crawl, home: string) {
  const page = await context.newPage();
  const problems = collectProblems(page);
  await page.goto(home);
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
  // What is outside of the organization is the same for everybody.
  const addresses = [...visited.keys()].filter((address) => address.startsWith(`${home}/`));
  for (const address of addresses.filter((each) => !isDownload(each))) {
    const before = page.url();
    await page.evaluate((href) => window.next?.router.push(href), address);
    await page.waitForURL(({ href }) => href !== before);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  }
  await page.close();
  return problems;
}

test('the crawl finds the links of a page, and takes addresses with other numbers for alike', () => {
  const origin = 'http://127.0.0.1:3000';
  const html = `<a class="x" href="/acme/chains?tier=2&amp;range=7d#top">a</a> <a href="${origin}/docs">b</a>
    <a href="https://example.com/">c</a> <a href="mailto:ana@example.com">d</a>
    <link rel="stylesheet" href="/x.css"><a aria-label="e" href="/acme/chains?tier=2&amp;range=7d">e</a>`;
  expect(linksIn(html, origin)).toEqual(['/acme/chains?tier=2&range=7d', '/docs']);
  expect(patternOf('/acme/chains/12?tier=2&range=7d')).toBe('/acme/chains/#?range&tier');
  expect(pagePatternOf('/acme/chains/12?tier=2&range=7d')).toBe('/acme/chains/#');
  expect(patternOf('/acme/runners/rnr_0352aaaaaaaaaaaaaauYP4')).toBe('/acme/runners/rnr_…');
});

/** Pages of the manual that nobody in particular has opened, which are the same for every reader. */
const openedPages = new Set<string>();
const isManual = (href: string) => href.startsWith('/docs/');
const isOpened = (href: string) => openedPages.has(href);

test('[PAG-1.3] every link that somebody who is not signed in sees leads to a page', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext();
  const found = await crawl(context.request, baseURL ?? '', PUBLIC_START);
  expect(found.dead).toEqual([]);
  expect([...found.visited.keys()]).toContain('/docs/quick-start');
  for (const href of [...found.visited.keys()].filter(isManual)) openedPages.add(href);
  const unknown = await context.request.get('/api/v1/nothing');
  expect(unknown.status()).toBe(404);
  expect(unknown.headers()['content-type']).toBe('application/problem+json');
  expect(await unknown.json()).toMatchObject({ status: 404, code: 'not_found' });
  const posted = await context.request.post('/api/v1/chains/chn_1/explode', { data: {} });
  expect(posted.status()).toBe(404);
  expect(posted.headers()['content-type']).toBe('application/problem+json');
  await context.close();
});

test('[PAG-1.3] every link that the owner sees leads to a page', async ({ story, baseURL }) => {
  const found = await crawl(story.context.request, baseURL ?? '', startOf(story), { isOpened });
  expect(found.dead).toEqual([]);
  const patterns = new Set(found.visited.values());
  const { organization } = story.demo;
  for (const page of ['analytics', 'spend', 'audit', 'activity', 'settings/members']) {
    expect(patterns, 'is reached by links alone').toContain(`/${organization}/${page}`);
  }
  expect(patterns).toContain(`${story.demo.root}/services/web`);
});

/** Which addresses a page has beside its own, its filters, is the same for every role, and so is one like it. */
const OF_ROLE = { isOpened, patternOf: pagePatternOf, perPage: 1 };

for (const role of ['admin', 'operator', 'viewer'] as const) {
  test(`[PAG-1.3] every link that the role ${role} sees leads to a page`, async ({
    story,
    browser,
    baseURL,
  }) => {
    const { demo } = story;
    const email = `${role}-${randomBytes(5).toString('hex')}@example.com`;
    const context = await joinAs(browser, demo.token, { email, role, name: `Ada ${role}` });
    const found = await crawl(context.request, baseURL ?? '', startOf(story), OF_ROLE);
    expect(found.dead).toEqual([]);
    expect(found.visited.size).toBeGreaterThan(50);
    if (role === 'viewer') {
      expect(await problemsOf(context, found, `/${demo.organization}`)).toEqual([]);
    }
    await context.close();
  });
}
