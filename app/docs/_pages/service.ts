import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocPage } from './pages';

const loaded = new Map<string, string>();

/** The Markdown of a page in the folder `docs` below the process's work directory, read once. */
export async function loadDoc({ slug }: Pick<DocPage, 'slug'>): Promise<string> {
  const known = loaded.get(slug);
  if (known !== undefined) return known;
  const text = await readFile(path.join(process.cwd(), 'docs', `${slug}.md`), 'utf8');
  loaded.set(slug, text);
  return text;
}
