import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { moduleDocs, withGenerated } from './module-docs';
import { ROOT } from './source-files';

const docs = Object.entries(moduleDocs());

it.each(docs)('%s says which modules there are and what they import', (file, text) => {
  const advice =
    'Is the new import one that this module means to offer? Then: node scripts/write-docs.mjs';
  expect(readFileSync(path.join(ROOT, file), 'utf8'), advice).toBe(text);
});

it('replaces only what stands between the markers', () => {
  const around = (inside: string) =>
    `before\n<!-- made by scripts/write-docs.mjs -->\n\n${inside}\n\n<!-- end -->\nafter`;
  expect(withGenerated(around('`a` < `b`'), 'made')).toBe(around('made'));
  expect(() => withGenerated('before\nafter', 'made')).toThrow('no markers');
});
