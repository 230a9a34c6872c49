#!/usr/bin/env node
/**
 * Puts the CLIs that the contract tests run against under `<data dir>/cli/<version>/`. They are
 * 250 to 380 MB each, so they are no dependencies. Running it again changes nothing.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Exact: the older reports costs per process, the newer per conversation. */
export const CLI_VERSIONS = ['2.1.197', '2.1.330'];

const root = path.resolve(import.meta.dirname, '..');

/** Where the data folder is: TIERWATCH_DATA_DIR, or `.data` in the checkout. */
export function dataDir() {
  return path.resolve(root, process.env.TIERWATCH_DATA_DIR || '.data');
}

function platformPackage() {
  const isMusl =
    process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

/** The program of a version, whether it has been fetched or not. */
export function cliBinary(version, folder = dataDir()) {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return path.join(folder, 'cli', version, 'node_modules', platformPackage(), name);
}

async function printedVersion(binary) {
  const { stdout } = await run(binary, ['--version'], {
    env: { PATH: process.env.PATH ?? '', DISABLE_AUTOUPDATER: '1' },
    timeout: 60_000,
  });
  return stdout.trim().split(' ')[0];
}

async function fetchVersion(version, folder) {
  const parent = path.join(folder, 'cli');
  await mkdir(parent, { recursive: true });
  // Built beside its place and renamed, so that an interrupted download is never taken for a CLI.
  const staging = await mkdtemp(path.join(parent, `.${version}-`));
  try {
    const exact = `${platformPackage()}@${version}`;
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--prefix', staging, ...flags, '--loglevel', 'error', exact], {
      timeout: 600_000,
      maxBuffer: 16_000_000,
    });
    await rm(path.join(parent, version), { recursive: true, force: true });
    await rename(staging, path.join(parent, version));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function firstLine(error) {
  const text = String(error?.stderr || error?.message || error);
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'unknown error';
  return line.trim().slice(0, 300);
}

/**
 * Fetches what is missing. Never throws: a version that cannot be had carries `problem`, one line.
 * @returns {Promise<{version: string, binary: string, problem: string | null}[]>}
 */
export async function fetchClis({ versions = CLI_VERSIONS, folder = dataDir() } = {}) {
  const fetched = [];
  for (const version of versions) {
    const binary = cliBinary(version, folder);
    let problem = null;
    try {
      if (!existsSync(binary)) await fetchVersion(version, folder);
      const printed = await printedVersion(binary);
      if (printed !== version) problem = `its version is ${printed}`;
    } catch (error) {
      problem = firstLine(error);
    }
    fetched.push({ version, binary, problem });
  }
  return fetched;
}

/** One line for people about what could not be fetched, or null. */
export function fetchProblem(clis) {
  const missing = clis.filter((cli) => cli.problem !== null);
  if (missing.length === 0) return null;
  const reasons = missing.map((cli) => `${cli.version} (${cli.problem})`).join(', ');
  return `Claude Code could not be fetched for ${process.platform}-${process.arch}: ${reasons}. The tests that need it are skipped.`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const clis = await fetchClis();
  for (const cli of clis) if (!cli.problem) console.log(`${cli.version} ${cli.binary}`);
  const problem = fetchProblem(clis);
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
  }
}
