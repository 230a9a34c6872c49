import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RootContent } from 'mdast';
import { blocksOf } from './markdown';
import type { DocPage } from './pages';

const loaded = new Map<string, RootContent[]>();

/** A page of the folder `docs` below the process's work directory, read once. */
export async function loadDoc({ slug }: Pick<DocPage, 'slug'>): Promise<RootContent[]> {
  const known = loaded.get(slug);
  if (known) return known;
  const blocks = blocksOf(await readFile(path.join(process.cwd(), 'docs', `${slug}.md`), 'utf8'));
  loaded.set(slug, blocks);
  return blocks;
}
