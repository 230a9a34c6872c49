import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { StartProblem } from '../bootstrap/problem.mjs';

/** Of the pages that an organization sees, in the shell. */
const IN_THE_SHELL = '/[orgSlug]';

/** Stands in what draws a plot and nowhere else. */
const OF_CHARTS = 'recharts-surface';

/**
 * @typedef {object} Weights all in bytes; scripts and styles after gzip
 * @property {number} shared scripts that every page of the shell loads
 * @property {number} nextRuntime what of them is Next's, without React DOM
 * @property {{ route: string, own: number }[]} routes scripts on top of the shared ones
 * @property {number} charts
 * @property {number} styles
 * @property {number} fonts
 */

/**
 * What the pages of a build weigh.
 * @param {string} output the folder `.next` of a build
 * @returns {Weights}
 */
export function weighPages(output) {
  const stats = readJson(path.join(output, 'diagnostics/route-bundle-stats.json'));
  const { rootMainFiles } = readJson(path.join(output, 'build-manifest.json'));
  const chunks = path.join(output, 'static/chunks');
  const known = new Map();
  const weightOf = (name) => {
    const weight = known.get(name) ?? gzipSync(readFileSync(path.join(chunks, name))).length;
    known.set(name, weight);
    return weight;
  };
  const sum = (names) => names.reduce((total, name) => total + weightOf(name), 0);
  const routes = stats.map(({ route, firstLoadChunkPaths }) => ({
    route,
    names: firstLoadChunkPaths.map((file) => path.basename(file)),
  }));
  const inShell = routes.filter(({ route }) => route.startsWith(IN_THE_SHELL));
  const shared = (inShell[0]?.names ?? []).filter((name) =>
    inShell.every(({ names }) => names.includes(name)),
  );
  const runtime = rootMainFiles.map((file) => path.basename(file));
  const all = readdirSync(chunks);
  const first = new Set(routes.flatMap(({ names }) => names));
  const fonts = readdirSync(path.join(output, 'static/media')).filter((name) =>
    name.endsWith('.woff2'),
  );
  return {
    shared: sum(shared),
    nextRuntime: sum(runtime) - Math.max(0, ...runtime.map(weightOf)),
    routes: routes.map(({ route, names }) => ({
      route,
      own: sum(names.filter((name) => !shared.includes(name))),
    })),
    charts: sum(
      all.filter(
        (name) =>
          name.endsWith('.js') &&
          !first.has(name) &&
          readFileSync(path.join(chunks, name), 'utf8').includes(OF_CHARTS),
      ),
    ),
    styles: sum(all.filter((name) => name.endsWith('.css'))),
    fonts: fonts.reduce(
      (total, name) => total + readFileSync(path.join(output, 'static/media', name)).length,
      0,
    ),
  };
}

function readJson(file) {
  if (!existsSync(file)) throw new StartProblem(`The build left no ${path.basename(file)}.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
