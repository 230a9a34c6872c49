import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { anchorOf, blocksOf } from './markdown';
import { DOC_PAGES, docHref } from './pages';

const blocks = new Map(
  DOC_PAGES.map(({ slug }) => [
    slug,
    blocksOf(readFileSync(path.resolve('docs', `${slug}.md`), 'utf8')),
  ]),
);

/** A node and everything in it. */
function nodesIn(node: Nodes): Nodes[] {
  return 'children' in node ? [node, ...node.children.flatMap(nodesIn)] : [node];
}

const nodes = (slug: string) => (blocks.get(slug) ?? []).flatMap(nodesIn);

const headings = (slug: string) =>
  nodes(slug).flatMap((node) =>
    node.type === 'heading' ? [{ depth: node.depth, id: anchorOf(node) }] : [],
  );

/** What the pages of the product draw; anything else would be missing on them. */
const DRAWN = new Set<Nodes['type']>([
  ...(['heading', 'paragraph', 'list', 'listItem', 'code'] as const),
  ...(['table', 'tableRow', 'tableCell', 'text', 'inlineCode', 'strong', 'link'] as const),
]);

describe('the documentation', () => {
  it('lists every page of docs/, but for the measurements', () => {
    const files = readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'bench.md');
    expect(files.toSorted()).toEqual(DOC_PAGES.map(({ slug }) => `${slug}.md`).toSorted());
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s has one title and no heading twice', (slug) => {
    const found = headings(slug);
    expect(found.filter(({ depth }) => depth === 1)).toHaveLength(1);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s is written with what the pages draw', (slug) => {
    expect(nodes(slug).filter(({ type }) => !DRAWN.has(type))).toEqual([]);
  });

  it.each(DOC_PAGES.map(({ slug }) => slug))('%s links to what is there', (slug) => {
    const links = nodes(slug).flatMap((node) => (node.type === 'link' ? [node.url] : []));
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
    const names = ['lib/platform/env.ts', 'workers/runner/env.ts'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\s{2,4}([A-Z][A-Z_]+):/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => name && !text.includes(name))).toEqual([]);
  });
});
