import { existsSync } from 'node:fs';
import path from 'node:path';

/** The checkout this file belongs to, whether it runs from here or as a part of a program in `dist`. */
export const checkout = findCheckout(import.meta.dirname);

function findCheckout(folder) {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const above = path.dirname(folder);
  if (above === folder)
    throw new Error(`No package.json in any folder above ${import.meta.dirname}.`);
  return findCheckout(above);
}

/** Where everything that outlives a start is kept: TIERWATCH_DATA_DIR, or `.data` in the checkout. */
export function dataFolder(env = process.env) {
  return path.resolve(checkout, env.TIERWATCH_DATA_DIR || '.data');
}
