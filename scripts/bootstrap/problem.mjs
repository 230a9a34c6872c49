/** A problem the user can fix: what happened, why, what to do. Shown without a stack. */
export class StartProblem extends Error {
  name = 'StartProblem';
}

/**
 * Reads a script's only option from its arguments.
 *
 * @param option such as `--verbose`
 * @param hint what to do about any other one
 * @returns {boolean} whether it was given
 * @throws StartProblem for any other argument
 */
export function hasOption(args, option, hint) {
  const unknown = args.find((each) => each !== option);
  if (unknown) throw new StartProblem(`There is no option ${unknown}. ${hint}`);
  return args.length > 0;
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
  if (!(error instanceof Error)) return String(error);
  return fileProblem(error) ?? error.stack ?? error.message;
}

/** PostgreSQL's own code for a full disk. */
const DATABASE_DISK_FULL = '53100';

/** What a file system's refusal means to the person who starts; null for other errors. */
function fileProblem(error) {
  const { code, path: file, dest } = error;
  if (code === DATABASE_DISK_FULL) {
    return 'The disk that PostgreSQL writes to is full. Free some space on it, then start again.';
  }
  const place = dest ?? file;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk is full: ${place ?? 'a file'} can’t be written. Free some space on it, then start again. Nothing is lost.`;
  }
  if (place === undefined) return null;
  switch (code) {
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `${place} can’t be used by this account: ${code === 'EROFS' ? 'its file system is read-only' : 'permission denied'}. Make it writable for the account that starts Tierwatch, or name another data folder: TIERWATCH_DATA_DIR=/path/to/folder npm start`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${place} can’t be a folder: a file is in its place. Move the file, or name another data folder: TIERWATCH_DATA_DIR=/path/to/folder npm start`;
    default:
      return null;
  }
}
