/**
 * `failures` says which tests failed and `files` what each file took, where the runner tells.
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: import('./failures.mjs').Failure[], files?: import('./slowest.mjs').TimedFile[] }} Tally
 */

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** @param {Tally} tally */
export function tallyLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * A run that fails without a failing test (a file that cannot be loaded, a set-up that throws, no
 * report at all) counts as one failure, so that nothing broken looks green.
 * @param {Tally} tally
 * @param {boolean} hasSucceeded the runner's own exit
 */
export function withFailedRun(tally, hasSucceeded) {
  if (hasSucceeded || tally.failed > 0) return tally;
  if (tally.failures?.length > 0) return { ...tally, failed: tally.failures.length };
  const reason = 'The run failed, but no test did. Its output above says why.';
  return { ...tally, failed: 1, failures: [{ title: 'Outside any test', reason }] };
}

/** @param {{ stats?: { expected: number, unexpected: number, flaky: number, skipped: number } } | null} report of Playwright's json reporter */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  // A test that passes only at the second try is not one that passes.
  return { passed: expected, failed: unexpected + flaky, skipped };
}
