import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { DocMarkdown } from '../_components/doc-markdown';
import { DOC_PAGES, docHref } from './pages';

const pages = new Map(
  DOC_PAGES.map(({ slug }) => {
    const text = readFileSync(path.resolve('docs', `${slug}.md`), 'utf8');
    return [slug, renderToStaticMarkup(createElement(DocMarkdown, { text }))];
  }),
);

const found = (slug: string, pattern: RegExp) =>
  [...(pages.get(slug) ?? '').matchAll(pattern)].map(([, first = '']) => first);

const anchors = (slug: string) => found(slug, /<h\d id="([^"]*)"/g);

/** What the pages of the product draw on purpose. */
const DRAWN = [
  ...['div', 'h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'pre', 'code', 'strong', 'a'],
  ...[
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'button',
    'span',
    'svg',
    'rect',
    'path',
    'line',
    'blockquote',
    'img',
  ],
];

describe('the documentation', () => {
  it('lists every page of docs/, but for the measurements and the chaos runs', () => {
    const files = readdirSync('docs').filter(
      (file) => file.endsWith('.md') && !['bench.md', 'chaos.md'].includes(file),
    );
    expect(files.toSorted()).toEqual(DOC_PAGES.map(({ slug }) => `${slug}.md`).toSorted());
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s has one title and no heading twice', (slug) => {
    expect(found(slug, /<(h1) /g)).toHaveLength(1);
    expect(anchors(slug)).not.toContain('');
    expect(new Set(anchors(slug)).size).toBe(anchors(slug).length);
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s is written with what the pages draw', (slug) => {
    const tags = new Set(found(slug, /<([a-z]\w*)/g));
    expect([...tags].filter((tag) => !DRAWN.includes(tag))).toEqual([]);
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s links to what is there', (slug) => {
    const dead = found(slug, /<a [^>]*?href="([^"]*)"/g).filter((href) => {
      if (href.startsWith('https://')) return false;
      const match = /^(?:\/docs\/([\w-]+))?(?:#(.+))?$/.exec(href);
      if (!match) return true;
      const [, page = slug, anchor] = match;
      return !pages.has(page) || (anchor && !anchors(page).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  it.each([
    ['webhooks.md#events', '/docs/webhooks#events'],
    ['./api.md', '/docs/api'],
    ['#here', '#here'],
    ['https://docs.example/api.md', 'https://docs.example/api.md'],
  ])('leads from %s to %s', (href, target) => {
    expect(docHref(href)).toBe(target);
  });

  it('names every environment variable that is read', () => {
    const text = readFileSync('docs/configuration.md', 'utf8');
    const names = ['lib/platform/env.ts', 'workers/runner/env.ts'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\s{2,4}([A-Z][A-Z_]+):/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => name && !text.includes(name))).toEqual([]);
  });
});
