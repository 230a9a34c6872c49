import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the folder that the product is installed in: the nearest one above this file with a
 * package.json, whether this runs from its source or from a bundle in `dist`.
 */
export function installationRoot(): string {
  let dir = import.meta.dirname;
  while (!existsSync(path.join(dir, 'package.json'))) {
    const above = path.dirname(dir);
    if (above === dir)
      throw new Error(`No package.json in any folder above ${import.meta.dirname}.`);
    dir = above;
  }
  return dir;
}
