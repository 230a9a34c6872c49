/**
 * Run after every change of package-lock.json. A registry that lags behind may not serve the optional
 * packages of some platforms; npm then leaves them out of the lock without a word, and later `npm ci`
 * refuses that lock. This adds the missing entries, so that the lock is accepted everywhere, and looks
 * up the hash of each entry without one: without it, npm would install whatever a registry sends.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from './bootstrap/folders.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The platform a package is for, as its name tells: `@esbuild/linux-arm64`, `…-win32-x64-msvc`. */
export function platformOf(name) {
  const parts = name.split(/[/-]/).map((part) => {
    if (part === 'windows') return 'win32';
    return /^arm(v\d.*|gnueabihf|musleabihf)$/.test(part) ? 'arm' : part;
  });
  const os = SYSTEMS.filter((system) => parts.includes(system));
  const cpu = PROCESSORS.filter((processor) => parts.includes(processor));
  // What is for no system in particular (WebAssembly) is installed by nobody here.
  return { os: os.length > 0 ? os : ['wasi'], cpu };
}

/** Node's own way: the nearest node_modules on the way up. */
function isFound(packages, from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

/**
 * @param {Record<string, { version?: string, dev?: boolean, optionalDependencies?: Record<string, string> }>} packages
 * @returns {{ packages: Record<string, object>, added: string[], skipped: string[] }} skipped: asked for by a range, not a version
 */
export function completePackages(packages) {
  const complete = { ...packages };
  const added = [];
  const skipped = [];
  for (const [place, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isFound(complete, place, name)) continue;
      if (!/^\d/.test(version)) {
        skipped.push(`${name}@${version}`);
        continue;
      }
      const { os, cpu } = platformOf(name);
      complete[`node_modules/${name}`] = {
        version,
        ...(cpu.length > 0 ? { cpu } : {}),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        os,
      };
      added.push(`${name}@${version}`);
    }
  }
  const sorted = Object.entries(complete).sort(([a], [b]) => (a < b ? -1 : 1));
  return { packages: Object.fromEntries(sorted), added, skipped };
}

/**
 * The entries whose content nothing vouches for, by their place.
 * @param {Record<string, { integrity?: string, link?: boolean, inBundle?: boolean }>} packages
 */
export function withoutIntegrity(packages) {
  // A bundled package comes inside another one's archive, whose hash covers it.
  return Object.entries(packages).filter(
    ([place, { integrity, link, inBundle }]) =>
      place !== '' && !link && !inBundle && !integrity?.startsWith('sha512-'),
  );
}

/** @returns {Promise<string | null>} null: the registry has no such version */
async function findIntegrity(place, { name, version }) {
  const exact = `${name ?? place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`;
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', exact, 'dist.integrity']);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = path.join(checkout, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const { packages, added, skipped } = completePackages(lock.packages);
  const unknown = [];
  for (const [place, entry] of withoutIntegrity(packages)) {
    const integrity = await findIntegrity(place, entry);
    if (integrity) packages[place] = { ...entry, integrity };
    else unknown.push(place);
  }
  writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
  process.stdout.write(`${added.length} optional packages added to package-lock.json.\n`);
  if (skipped.length > 0) process.stdout.write(`Requested by a range: ${skipped.join(', ')}\n`);
  if (unknown.length > 0) {
    process.exitCode = 1;
    process.stderr.write(
      `The registry has no hash for ${unknown.join(', ')}. Run this again when it has these versions; npm would install them unchecked.\n`,
    );
  }
}
