import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
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
  hook: 'workers/runner/hooks/hook.ts',
  'mcp-server': 'workers/runner/mcp/server.ts',
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

/** Packages in a bundle are CommonJS in part and ask for modules of Node. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * The file that Node runs for a program; `ensurePrograms` makes it.
 * @param {'worker' | 'runner' | 'demo-service' | 'seed' | 'tierwatch' | 'hook' | 'mcp-server'} name
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
  const { build } = await import('esbuild');
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await build({
    absWorkingDir: checkout,
    entryPoints: [source],
    outfile: unfinished,
    tsconfig: 'tsconfig.json',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // An addon finds its binary beside itself, esbuild is there for the build alone, and the S3
    // client is loaded only where a bucket is configured.
    external: ['@aws-sdk/*', '@node-rs/argon2', '@zxcvbn-ts/*', 'esbuild'],
    banner: { js: REQUIRE },
    logLevel: 'silent',
  });
  await rename(unfinished, file);
}

/** What a runner starts: itself, and what it puts beside an agent. */
export const RUNNER_PROGRAMS = ['runner', 'hook', 'mcp-server'];

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
      await Promise.all(left.map((name) => bundleProgram(PROGRAMS[name], programFile(name))));
      for (const name of left) writeStamp(stamp(name), hash);
    });
  });
}
