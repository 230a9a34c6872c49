import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { checkout } from '../bootstrap/folders.mjs';

/**
 * Runs these files before all others, in this order: one that began last would leave the other workers
 * without work. Vitest itself begins with the largest files unless it remembers an earlier run.
 *
 * @param {readonly string[]} files from the checkout's root
 * @throws {Error} if one of them isn't there
 */
export function longestFirst(files) {
  const missing = files.find((file) => !existsSync(path.join(checkout, file)));
  if (missing) throw new Error(`${missing} is among the longest tests, but it doesn't exist.`);
  const placeOf = ({ moduleId }) => {
    const at = files.indexOf(path.relative(checkout, moduleId).split(path.sep).join('/'));
    return at === -1 ? files.length : at;
  };
  return class extends BaseSequencer {
    async sort(specs) {
      const sorted = await super.sort(specs);
      return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
    }
  };
}
