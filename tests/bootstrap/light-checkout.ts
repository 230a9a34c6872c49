/**
 * A checkout whose `npm start` prepares a real database and runs small programs in place of the
 * product's, for tests of what a start does with its processes.
 */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { PROGRAM_SOURCES } from '@/scripts/bootstrap/programs.mjs';
import { hashFiles, writeStamp } from '@/scripts/bootstrap/stamps.mjs';

const COPIED = [
  ...['scripts', 'prisma', 'prisma.config.ts', 'package.json', 'package-lock.json'],
  ...['lib/agents/claude/environment.json', 'generated/prisma/.made-from'],
];

const PROGRAM = `console.log('demo service ready');
setInterval(() => {}, 1_000);`;

const SEED = `import { mkdirSync, writeFileSync } from 'node:fs';
const [runnerDir] = process.argv.slice(2);
mkdirSync(runnerDir, { recursive: true });
writeFileSync(runnerDir + '/runner-key', 'key');
const account = { email: 'demo@tierwatch.example', password: 'password' };
writeFileSync(process.env.TIERWATCH_DATA_DIR + '/demo-account.json', JSON.stringify(account));`;

const makeNext = (build: string) => `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const [command] = process.argv.slice(2);
if (command === 'build') {
  ${build}
  mkdirSync('.next', { recursive: true });
  writeFileSync('.next/BUILD_ID', 'built');
} else {
  const port = process.argv[process.argv.indexOf('-p') + 1];
  createServer((_request, response) => response.end('ok')).listen(Number(port), '127.0.0.1');
}
`;

/**
 * @param build what the build of the pages does before it succeeds
 * @returns its folder, for the caller to remove
 */
export function makeLightCheckout(build = ''): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-checkout-'));
  // PostgreSQL's own account reads its programs there.
  chmodSync(folder, 0o755);
  for (const entry of COPIED) {
    const options = { recursive: true, preserveTimestamps: true };
    cpSync(path.join(checkout, entry), path.join(folder, entry), options);
  }
  linkPackages(path.join(folder, 'node_modules'), makeNext(build));
  writePrograms(folder);
  return folder;
}

function linkPackages(packages: string, next: string): void {
  mkdirSync(packages);
  for (const entry of readdirSync(path.join(checkout, 'node_modules'))) {
    if (entry !== 'next') {
      symlinkSync(path.join(checkout, 'node_modules', entry), path.join(packages, entry));
    }
  }
  const bin = path.join(packages, 'next', 'dist', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(packages, 'next', 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(bin, 'next'), next);
}

/** Each with the stamp that keeps a start from bundling it. */
function writePrograms(folder: string): void {
  const dist = path.join(folder, 'dist');
  mkdirSync(dist);
  const hash = hashFiles(folder, PROGRAM_SOURCES);
  for (const file of readdirSync(path.join(checkout, 'dist'))) {
    const name = /^([\w-]+)\.mjs$/.exec(file)?.[1];
    if (name === undefined) continue;
    writeFileSync(path.join(dist, file), name === 'seed' ? SEED : PROGRAM);
    writeStamp(path.join(dist, `.${name}`), hash);
  }
}
