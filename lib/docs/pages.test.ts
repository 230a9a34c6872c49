import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Inline } from './inlines';
import { type Block, blocksOf } from './markdown';
import { DOC_PAGES, docHref } from './pages';

const blocks = new Map(
  DOC_PAGES.map(({ slug }) => [
    slug,
    blocksOf(readFileSync(path.resolve('docs', `${slug}.md`), 'utf8')),
  ]),
);

function inlinesIn(block: Block): Inline[] {
  switch (block.type) {
    case 'code':
      return [];
    case 'list':
      return block.items.flat().flatMap(inlinesIn);
    case 'table':
      return [...block.head, ...block.rows.flat()].flat();
    default:
      return block.content;
  }
}

function linksIn(content: readonly Inline[]): string[] {
  return content.flatMap((part) => {
    if (part.type === 'link') return [part.href, ...linksIn(part.content)];
    return part.type === 'strong' ? linksIn(part.content) : [];
  });
}

const headings = (slug: string) =>
  (blocks.get(slug) ?? []).flatMap((block) => (block.type === 'heading' ? [block] : []));

describe('the documentation', () => {
  it('lists every page of docs/, but for the measurements', () => {
    const files = readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'bench.md');
    expect(files.toSorted()).toEqual(DOC_PAGES.map(({ slug }) => `${slug}.md`).toSorted());
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s has one title and no heading twice', (slug) => {
    const found = headings(slug);
    expect(found.filter(({ level }) => level === 1)).toHaveLength(1);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s links to what is there', (slug) => {
    const links = (blocks.get(slug) ?? []).flatMap((block) => linksIn(inlinesIn(block)));
    const dead = links.filter((href) => {
      if (href.startsWith('https://')) return false;
      const match = /^(?:\/docs\/([\w-]+))?(?:#(.+))?$/.exec(docHref(href));
      if (!match) return true;
      const [, page = slug, anchor] = match;
      return !blocks.has(page) || (anchor && !headings(page).some(({ id }) => id === anchor));
    });
    expect(dead).toEqual([]);
  });

  it('names every environment variable that is read', () => {
    const text = readFileSync('docs/configuration.md', 'utf8');
    const names = ['lib/env.ts', 'workers/runner/env.ts'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\s{2,4}([A-Z][A-Z_]+):/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => name && !text.includes(name))).toEqual([]);
  });
});
