import path from 'node:path';
import { checkout } from '../bootstrap/folders.mjs';
import { judge, verdictText } from '../page-weight/judge.mjs';
import { weighPages } from '../page-weight/weigh.mjs';

/** What the pages of the build weigh, against their limits. @returns {import('./tally.mjs').Tally} */
export function runPageWeight() {
  const verdicts = judge(weighPages(path.join(checkout, '.next')));
  const failed = verdicts.filter(({ isWithin }) => !isWithin);
  for (const verdict of failed) process.stdout.write(`  ${verdictText(verdict)}\n`);
  if (failed.length > 0) {
    process.stdout.write(
      '  Load what isn’t visible at first with import(). The limits are in scripts/page-weight/limits.mjs.\n',
    );
  }
  return { passed: verdicts.length - failed.length, failed: failed.length, skipped: 0 };
}
