/** What the browser has to load before a page is alive, per kind of page. */
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { judge, kindOf } from '@/scripts/page-weight/judge.mjs';
import { weighPages } from '@/scripts/page-weight/weigh.mjs';
import { printResult } from './support/figures';

const weights = weighPages(path.join(checkout, '.next'));
const verdicts = judge(weights);
const heaviest = new Map<string, { route: string; own: number; limitKb: number }>();
for (const { route, own } of weights.routes) {
  const { kind, limitKb } = kindOf(route);
  const known = heaviest.get(kind);
  if (!known || own > known.own) heaviest.set(kind, { route, own, limitKb });
}

printResult({
  title: 'Page weight, gzip',
  target: 'at most what stands behind each figure',
  figures: {
    ...Object.fromEntries(
      verdicts
        .filter(({ what }) => !what.startsWith('Scripts of '))
        .map(({ what, kb, limitKb }) => [what, `${kb} of ${limitKb} kB`]),
    ),
    ...Object.fromEntries(
      [...heaviest].map(([kind, { route, own, limitKb }]) => [
        `on top, heaviest ${kind}: \`${route}\``,
        `${(own / 1_000).toFixed(1)} of ${limitKb} kB`,
      ]),
    ),
  },
});
