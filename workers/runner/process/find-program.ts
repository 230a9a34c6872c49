/** Programs of the host, by the folders of a PATH. */

import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** Absolute path of a program; the name itself where the PATH has none. */
export function findProgram(name: string, searchPath: string): string {
  if (name.includes('/')) return path.resolve(name);
  const folders = searchPath.split(':').filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isFile) ?? name;
}

/** Null also where this account may not look: a PATH often names another account's folders. */
export function statOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

export function isFile(file: string): boolean {
  return statOf(file)?.isFile() ?? false;
}

/** Whether it is a file itself, and no link to one. */
export function isFileItself(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}

/** Without symbolic links; the path as it is where the host cannot resolve it. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
