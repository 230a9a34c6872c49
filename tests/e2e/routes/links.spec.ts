/** Follows every link of the product, as each role sees it, and as nobody in particular. */
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext } from '@playwright/test';
import { PASSWORD } from '../support/new-organization';
import { expect, type Story, test } from '../support/story';
import { type Crawl, crawl, linksIn, pagePatternOf, patternOf } from './crawl';
import { collectProblems } from './problems';

/** Lets somebody join the demo organization, and signs them in. */
async function joinAs(browser: Browser, story: Story, role: string) {
  const email = `${role}-${randomBytes(5).toString('hex')}@example.com`;
  const invited = await story.context.request.post('/api/v1/invitations', {
    headers: { authorization: `Bearer ${story.demo.token}` },
    data: { email, role },
  });
  expect(invited.status(), await invited.text()).toBe(201);
  // No mail server runs, so the link is answered.
  const { link } = await invited.json();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(link).pathname);
  await page.getByLabel('Your name').fill(`Ada ${role}`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /^Join / }).click();
  await expect(page).not.toHaveURL(/\/invite\//);
  await page.close();
  return context;
}

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

/** Opens the first address of each pattern, and collects what goes wrong in it. */
async function problemsOf(context: BrowserContext, { visited }: Crawl): Promise<string[]> {
  const opened = new Set<string>();
  const page = await context.newPage();
  const problems = collectProblems(page);
  for (const [address, pattern] of visited) {
    // What is downloaded has no page, and the manual is the same for everybody.
    const isPage = !/\.(?:csv|txt|yaml|json)\b|\/entries\b|^\/(?:api|docs)\b/.test(address);
    if (opened.has(pattern) || !isPage) continue;
    opened.add(pattern);
    await page.goto(address, { waitUntil: 'load' });
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

/** Which addresses a page has beside its own, its filters, is the same for every role. */
const OF_ROLE = { isOpened, patternOf: pagePatternOf };

for (const role of ['admin', 'operator', 'viewer'] as const) {
  test(`[PAG-1.3] every link that the role ${role} sees leads to a page`, async ({
    story,
    browser,
    baseURL,
  }) => {
    const context = await joinAs(browser, story, role);
    const found = await crawl(context.request, baseURL ?? '', startOf(story), OF_ROLE);
    expect(found.dead).toEqual([]);
    expect(found.visited.size + openedPages.size).toBeGreaterThan(100);
    if (role === 'viewer') expect(await problemsOf(context, found)).toEqual([]);
    await context.close();
  });
}
