import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkout } from './folders.mjs';
import { withLock } from './lock.mjs';
import { ensureClient } from './prisma.mjs';
import { hashFiles, hasStamp, writeStamp } from './stamps.mjs';
import { step } from './steps.mjs';

const OUTPUT = path.join(checkout, 'dist');

/** Every program of ours but the web application, and the file it begins with. @type {Record<string, string>} */
const PROGRAMS = {
  worker: 'workers/index.ts',
  runner: 'workers/runner/main.ts',
  'demo-service': 'workers/demo-service/main.ts',
  seed: 'prisma/seed.ts',
  tierwatch: 'cli/main.ts',
  // Started by a runner beside each agent.
  hook: 'workers/runner/agent-socket/hook.ts',
  'mcp-server': 'workers/runner/agent-socket/mcp-server.ts',
  // Started by a runner in each sandbox, before the agent.
  'sandbox-entry': 'workers/runner/sandbox/entry.ts',
  'demo-agent': 'lib/agents/demo/agent/main.mjs',
  // For hosts without a checkout: the control plane serves it as /runner.mjs.
  'runner-file': 'workers/runner/standalone/main.ts',
};

/** What the runner's single file carries, as paths below the folder where it unpacks them. @type {Record<string, string>} */
const CARRIED = {
  'dist/hook.mjs': PROGRAMS.hook,
  'dist/mcp-server.mjs': PROGRAMS['mcp-server'],
  'dist/sandbox-entry.mjs': PROGRAMS['sandbox-entry'],
  'dist/demo-agent.mjs': PROGRAMS['demo-agent'],
};

/** What the bundles are made from. The Dockerfile has to copy every one of them. */
export const PROGRAM_SOURCES = [
  'cli',
  'lib',
  'workers',
  'prisma',
  'scripts',
  'tsconfig.json',
  'package-lock.json',
];

/**
 * Packages that aren't bundled: an addon finds its binary beside itself, esbuild is needed only for the
 * build, and the S3 client is loaded only where it is configured.
 */
const EXTERNAL = ['@aws-sdk/*', '@node-rs/argon2', '@zxcvbn-ts/*', 'esbuild'];

/** Also loaded only where it is configured. The runner's single file includes the small part that it needs. */
const TELEMETRY = '@opentelemetry/*';

/** Packages in a bundle are CommonJS in part and ask for modules of Node. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * The file that Node runs for a program; `ensurePrograms` makes it.
 * @param {'worker' | 'runner' | 'demo-service' | 'seed' | 'tierwatch' | 'hook' | 'mcp-server' | 'sandbox-entry' | 'demo-agent' | 'runner-file'} name
 */
export function programFile(name) {
  return path.join(OUTPUT, `${name}.mjs`);
}

/**
 * Writes a program with all that it loads into one file: from there it starts in a third of the time
 * that its sources take.
 *
 * @param {string} source below the checkout
 * @param {string} file replaced at once, so that a program that starts meanwhile reads a whole one
 */
export async function bundleProgram(source, file) {
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, await bundled(source));
  await rename(unfinished, file);
}

/**
 * Writes the runner as one file that needs Node alone: it carries the programs that it puts beside an
 * agent. The same sources give the same bytes, since hosts compare checksums.
 *
 * @param {string} file replaced at once
 */
async function bundleRunnerFile(file) {
  const carried = {};
  for (const [name, source] of Object.entries(CARRIED)) carried[name] = await bundled(source);
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  const define = { TIERWATCH_CARRIED: JSON.stringify(carried) };
  await writeFile(
    unfinished,
    await bundled(PROGRAMS['runner-file'], { define, external: EXTERNAL }),
  );
  await rename(unfinished, file);
}

/**
 * @param {string} source
 * @param {{ define?: Record<string, string>, external?: string[] }} [options]
 * @returns {Promise<string>}
 */
async function bundled(source, { define = {}, external = [...EXTERNAL, TELEMETRY] } = {}) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: checkout,
    entryPoints: [source],
    outfile: path.join(OUTPUT, 'bundled.mjs'),
    write: false,
    define,
    tsconfig: 'tsconfig.json',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    banner: { js: REQUIRE },
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

/** What a runner starts: itself, and what it puts beside an agent. */
export const RUNNER_PROGRAMS = ['runner', 'hook', 'mcp-server', 'sandbox-entry', 'demo-agent'];

/**
 * Bundles those programs whose sources have changed. The Prisma client is part of most.
 *
 * @param {string[]} names all of them unless given
 * @param {typeof step} report
 */
export async function ensurePrograms(names = Object.keys(PROGRAMS), report = step) {
  const hash = hashFiles(checkout, PROGRAM_SOURCES);
  const stamp = (name) => path.join(OUTPUT, `.${name}`);
  const outdated = () =>
    names.filter((name) => !hasStamp(stamp(name), hash) || !existsSync(programFile(name)));
  // An image holds them, in a folder that nobody may write to.
  if (outdated().length === 0) return;
  await withLock(path.join(checkout, '.data', 'programs.lock'), async () => {
    const left = outdated();
    if (left.length === 0) return;
    await ensureClient();
    await report('Bundling the programs', async () => {
      await Promise.all(left.map(bundleNamed));
      for (const name of left) writeStamp(stamp(name), hash);
    });
  });
}

/** @param {string} name */
function bundleNamed(name) {
  if (name === 'runner-file') return bundleRunnerFile(programFile(name));
  return bundleProgram(PROGRAMS[name], programFile(name));
}
