import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judge, verdictText } from '@/scripts/page-weight/judge.mjs';
import { SHARED_KB } from '@/scripts/page-weight/limits.mjs';
import { weighPages } from '@/scripts/page-weight/weigh.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-weight-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIST = '/[orgSlug]/chains';
const SETTINGS = '/[orgSlug]/projects/[projectSlug]/settings/[section]';

/** What gzip makes no smaller. */
const noise = (kb: number) => randomBytes(kb * 1_000);
const drawing = (kb: number) => Buffer.concat([Buffer.from('recharts-surface'), noise(kb)]);

/** As Next leaves it: chunks by name, and the chunks that each route loads first. */
function makeBuild(chunks: Record<string, Buffer>, routes: Record<string, string[]>): string {
  const output = mkdtempSync(path.join(folder, 'build-'));
  const write = (file: string, text: string | Buffer) => {
    mkdirSync(path.dirname(path.join(output, file)), { recursive: true });
    writeFileSync(path.join(output, file), text);
  };
  for (const [name, text] of Object.entries(chunks)) write(`static/chunks/${name}`, text);
  write('static/media/inter.woff2', noise(10));
  write('build-manifest.json', JSON.stringify({ rootMainFiles: ['static/chunks/react.js'] }));
  const stats = Object.entries(routes).map(([route, names]) => ({
    route,
    firstLoadChunkPaths: names.map((name) => `.next/static/chunks/${name}`),
  }));
  write('diagnostics/route-bundle-stats.json', JSON.stringify(stats));
  return output;
}

const sound = { 'react.js': noise(70), 'shell.js': noise(20), 'one.css': noise(5) };
const charts = { 'charts.js': drawing(50) };

/** What is wrong with a build, but for the runtime, which these have none of. */
const problems = (output: string) =>
  judge(weighPages(output))
    .filter(({ what, isWithin }) => !isWithin && what !== 'Next’s own runtime')
    .map(verdictText);

describe('the weight of the pages', () => {
  it('counts what all pages of an organization share once, and the rest to each page', () => {
    const output = makeBuild(
      { ...sound, ...charts, 'list.js': noise(8), 'settings.js': noise(30) },
      {
        [LIST]: ['react.js', 'shell.js', 'list.js'],
        [SETTINGS]: ['react.js', 'shell.js', 'settings.js'],
        '/sign-in': ['react.js'],
      },
    );
    const { shared, routes } = weighPages(output);
    const inKb = (bytes: number) => Math.round(bytes / 1_000);
    expect(inKb(shared)).toBe(90);
    expect(routes.map(({ own }) => inKb(own))).toEqual([8, 30, 0]);
    expect(problems(output)).toEqual([]);
  });

  it('refuses a page that is heavier than its kind may be, by name, size and limit', () => {
    const output = makeBuild(
      { ...sound, ...charts, 'list.js': noise(40) },
      {
        [LIST]: ['react.js', 'shell.js', 'list.js'],
        [SETTINGS]: ['react.js', 'shell.js', 'list.js'],
      },
    );
    // Both load it, so it counts as shared; one page alone does not make it lighter.
    expect(problems(output)).toEqual([]);
    const alone = makeBuild(
      { ...sound, ...charts, 'list.js': noise(40) },
      { [LIST]: ['react.js', 'shell.js', 'list.js'], [SETTINGS]: ['react.js', 'shell.js'] },
    );
    expect(problems(alone)).toEqual([
      expect.stringMatching(
        /^Scripts of \/\[orgSlug\]\/chains \(list or form\): \d+(\.\d)? kB, and the limit is 20 kB\.$/,
      ),
    ]);
  });

  it('refuses shared scripts, pictures, styles that are too heavy', () => {
    const output = makeBuild(
      {
        'react.js': noise(70),
        'shell.js': noise(SHARED_KB * 1.4),
        'one.css': noise(40),
        'charts.js': drawing(200),
      },
      { [LIST]: ['react.js', 'shell.js'] },
    );
    expect(problems(output).map((text) => text.split(':')[0])).toEqual([
      ...['Scripts that all pages share', 'Pictures of the plots', 'Styles'],
    ]);
  });

  it('refuses a build in which it finds nothing to weigh', () => {
    const output = makeBuild(sound, { [LIST]: ['react.js', 'shell.js'] });
    expect(problems(output)).toEqual(['Pictures of the plots: nothing was found to weigh.']);
  });
});
