import path from 'node:path';

/** The checkout this file belongs to. */
export const checkout = path.resolve(import.meta.dirname, '..', '..');

/** Where everything that outlives a start is kept: TIERWATCH_DATA_DIR, or `.data` in the checkout. */
export function dataFolder(env = process.env) {
  return path.resolve(checkout, env.TIERWATCH_DATA_DIR || '.data');
}
