/**
 * What of the host every sandbox shows: programs and libraries. Files there that only root may read are
 * readable for the agent of a runner that is root.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Mount } from './bwrap';

/** Folders of programs and libraries. On most hosts all but the first are links into it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * What programs need of /etc. The rest stays outside: the runner's account may be able to read
 * everything there.
 */
const SETTINGS = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'timezone'],
  ...['os-release', 'debian_version', 'services', 'protocols', 'mime.types', 'terminfo'],
  ...['ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls/certs', 'pki/ca-trust'],
];

const MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * @param hidden folders that must not be visible, even if they are in a system folder
 */
export function hostMounts(hidden: readonly string[]): Mount[] {
  const system = SYSTEM.flatMap(systemMount);
  const settings = SETTINGS.map((name) => path.join('/etc', name)).filter(existsSync);
  return [
    ...system,
    ...settings.map((file) => readOnly(file)),
    ...['/tmp', '/var/tmp', '/dev/shm'].map(empty),
    ...covered(hidden, system),
  ];
}

/** Covers those of the folders that a mount shows, under whatever path it does. */
export function covered(hidden: readonly string[], mounts: readonly Mount[]): Mount[] {
  const folders = hidden.filter((folder) => existsSync(folder)).map(realOf);
  return mounts.flatMap((mount) => {
    if (mount.kind !== 'read_only') return [];
    const from = realOf(mount.from);
    const shown = folders.filter((folder) => isBelow(folder, from));
    return shown.map((folder) => empty(path.join(mount.at, path.relative(from, folder))));
  });
}

export function readOnly(file: string, at = file): Mount {
  return { kind: 'read_only', from: file, at };
}

function empty(at: string): Mount {
  return { kind: 'empty', at, maxBytes: MEMORY_BYTES };
}

function systemMount(folder: string): Mount[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return [{ kind: 'link', to: readlinkSync(folder), at: folder }];
  return found?.isDirectory() ? [readOnly(folder)] : [];
}

/** Also of the folder itself. */
export function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
