import type { APIRequestContext } from '@playwright/test';

/** A link that led nowhere, with the page on which it stands. */
export interface DeadLink {
  href: string;
  on: string;
  answer: string;
}

export interface Crawl {
  /** Every address that was opened, with its pattern; the first of each pattern stands first. */
  visited: Map<string, string>;
  dead: DeadLink[];
}

/** A value that no filter has is left out, which a spec of its own proves, so one stands for all. */
const PER_FILTER = 1;
const AT_ONCE = 4;

interface CrawlOptions {
  /** What was opened already, and is the same for everybody. */
  isOpened?: (href: string) => boolean;
  /** Which addresses are alike. */
  patternOf?: (href: string) => string;
  /** How many of those that are alike stand for all. */
  perPage?: number;
}

/**
 * Follows every link of the product from some addresses on, breadth first. `request` brings the
 * cookies of whoever reads.
 */
export async function crawl(
  request: APIRequestContext,
  origin: string,
  start: readonly string[],
  { isOpened = () => false, patternOf: asPattern = patternOf, perPage = 3 }: CrawlOptions = {},
): Promise<Crawl> {
  const visited = new Map<string, string>();
  const dead: DeadLink[] = [];
  const counts = new Map<string, number>();
  let queue = start.map((href) => ({ href, on: 'the start' }));

  function isNew({ href }: { href: string }): boolean {
    if (visited.has(href) || isOpened(href)) return false;
    const pattern = asPattern(href);
    const count = counts.get(pattern) ?? 0;
    if (count >= (pattern.includes('?') ? PER_FILTER : perPage)) return false;
    counts.set(pattern, count + 1);
    visited.set(href, pattern);
    return true;
  }

  while (queue.length > 0) {
    const batch = queue.filter(isNew);
    queue = [];
    for (let at = 0; at < batch.length; at += AT_ONCE) {
      const answers = await Promise.all(
        batch.slice(at, at + AT_ONCE).map(async (link) => ({
          link,
          page: await open(request, origin + link.href),
        })),
      );
      for (const { link, page } of answers) {
        if (page.problem) dead.push({ ...link, answer: page.problem });
        queue.push(...linksIn(page.html, origin).map((href) => ({ href, on: link.href })));
      }
    }
  }
  return { visited, dead };
}

async function open(request: APIRequestContext, address: string) {
  const answer = await request.get(address, {
    maxRetries: 2,
    headers: { accept: 'text/html,*/*', 'accept-encoding': 'identity' },
  });
  const isPage = answer.headers()['content-type']?.startsWith('text/html') ?? false;
  const html = isPage ? await answer.text() : '';
  // A page that had begun to stream when it found nothing keeps its 200.
  const isMissing = /<h1[^>]*>There is nothing here/.test(html);
  const isFailed = /<h1[^>]*>(?:Something went wrong|This page couldn)/.test(html);
  const problem =
    answer.status() >= 400
      ? String(answer.status())
      : isMissing
        ? 'There is nothing here'
        : isFailed
          ? 'an error page'
          : null;
  return { html, problem };
}

/** Addresses of the links in a page that stay in the product, without their anchors. */
export function linksIn(html: string, origin: string): string[] {
  const found = [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].flatMap(([, href = '']) => {
    const url = URL.parse(href.replaceAll('&amp;', '&'), origin);
    return url && url.origin === origin ? [url.pathname + url.search] : [];
  });
  return [...new Set(found)];
}

/** `/acme/projects/checkout/chains/12?tier=2` is like every chain with a filter by tier. */
export function patternOf(href: string): string {
  const names = [...new Set(new URL(href, 'http://origin').searchParams.keys())].toSorted();
  const path = pagePatternOf(href);
  return names.length > 0 ? `${path}?${names.join('&')}` : path;
}

/** The same without filters: `/acme/projects/checkout/chains/12` is like every chain. */
export function pagePatternOf(href: string): string {
  return new URL(href, 'http://origin').pathname
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? '#' : part.replace(/^([a-z]{3})_\w{20,}$/, '$1_…')))
    .join('/');
}
