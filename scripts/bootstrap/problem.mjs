/** A problem the user can fix: what happened, why, what to do. Shown without a stack. */
export class StartProblem extends Error {
  name = 'StartProblem';
}

/** Runs a script's main function; a problem is printed as it is, anything else with its stack. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n${describeError(error)}\n`);
    process.exitCode = 1;
  }
}

/** @param {unknown} error */
export function describeError(error) {
  if (error instanceof StartProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
