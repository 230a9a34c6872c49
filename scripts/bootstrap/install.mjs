import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand, runNode } from './command.mjs';
import { checkout } from './folders.mjs';
import { withLock } from './lock.mjs';
import { hashFiles, hasStamp, writeStamp } from './stamps.mjs';
import { step } from './steps.mjs';

const STAMP = path.join(checkout, 'node_modules', '.tierwatch-lock-hash');

function readPackages(file) {
  return JSON.parse(readFileSync(path.join(checkout, file), 'utf8')).packages;
}

/**
 * Whether what npm says it installed is what the lock asks for. Packages for other platforms are
 * listed in the lock and never installed.
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const found = installed[place];
    return found ? found.version === entry.version : entry.optional === true;
  });
}

function matchesLock() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(path.join(checkout, record))) return false;
  return isInstalled(readPackages('package-lock.json'), readPackages(record));
}

async function runNpm(args) {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.[cm]?js$/.test(cli)) return await runNode([cli, ...args]);
  if (process.platform === 'win32') return await runCommand('cmd.exe', ['/c', 'npm', ...args]);
  return await runCommand('npm', args);
}

/** Installs the packages when the lock has changed since they were. */
export async function ensureInstalled() {
  await withLock(path.join(checkout, '.data', 'install.lock'), async () => {
    const hash = hashFiles(checkout, ['package-lock.json']);
    if (hasStamp(STAMP, hash)) return;
    if (!matchesLock()) {
      await step('Installing packages', () =>
        runNpm(['ci', '--include=dev', '--include=optional']),
      );
    }
    writeStamp(STAMP, hash);
  });
}
