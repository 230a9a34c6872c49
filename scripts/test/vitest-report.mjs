import { writeFileSync } from 'node:fs';
import { reasonOf } from './failures.mjs';

/** Which file of the run gets the report. */
export const VITEST_REPORT_VARIABLE = 'TIERWATCH_VITEST_REPORT';

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('./failures.mjs').Failure} Failure */

/** The first error, and where in our own code. @param {readonly { message?: string, stack?: string }[]} errors */
function reasonFrom([error]) {
  const lines = (error?.stack ?? error?.message ?? '').split('\n');
  const isForeign = (line) => /^\s+at .*(node_modules|node:internal)/.test(line);
  return reasonOf(lines.filter((line) => !isForeign(line)).join('\n'));
}

/** What went wrong in a file: its tests, the hooks around them, and the file itself. @param {TestModule} module @returns {Failure[]} */
function failuresOf(module) {
  const file = module.relativeModuleId;
  const outside = [module, ...module.children.allSuites()]
    .filter((part) => part.errors().length > 0)
    .map((part) => ({
      title: part.type === 'suite' ? `${file} › ${part.fullName}` : file,
      reason: reasonFrom(part.errors()),
    }));
  const inside = [...module.children.allTests('failed')].map((test) => ({
    title: `${file} › ${test.fullName}`,
    reason: reasonFrom(test.result().errors ?? []),
  }));
  return [...outside, ...inside];
}

/** What a file took: loading it, its hooks and its tests. @param {TestModule} module @returns {import('./slowest.mjs').TimedFile} */
function timeOf(module) {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    file: module.relativeModuleId,
    ms: prepareDuration + setupDuration + collectDuration + duration,
  };
}

/**
 * Writes the tally of a run. Vitest's own report leaves out the errors of hooks and those outside of tests,
 * and counts the tests behind a failed hook as skipped.
 *
 * @implements {import('vitest/reporters').Reporter}
 */
export default class TallyReporter {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly { message: string, stack?: string }[]} uncaught
   */
  onTestRunEnd(modules, uncaught) {
    const count = (state) =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    const failures = [
      ...modules.flatMap(failuresOf),
      ...uncaught.map((error) => ({ title: 'Outside any test', reason: reasonFrom([error]) })),
    ];
    const tally = {
      passed: count('passed'),
      failed: failures.length,
      skipped: count('skipped') + count('pending'),
      failures,
      files: modules.map(timeOf),
    };
    writeFileSync(process.env[VITEST_REPORT_VARIABLE], JSON.stringify(tally));
  }
}
