import { execFile } from 'node:child_process';
import { codeOf, ProbeError, unknown } from './outcome';

export interface ProgramOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Asks a program of this host about a target, without a shell.
 *
 * @throws ProbeError of status `unknown` if it can't be started or gives no complete answer
 */
export function askProgram(
  file: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { signal, maxBuffer: 1_000_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') {
        reject(new ProbeError(unknown(whyUnanswered(file, codeOf(error)))));
        return;
      }
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

function whyUnanswered(file: string, code: string): string {
  if (code === 'ENOENT') return `There is no ${file} on this runner.`;
  if (code === 'EACCES') return `The runner isn’t permitted to run ${file}.`;
  return `${file} ended without an answer.`;
}

/** The first line of what a program printed to stderr, or a sentence if it printed nothing. */
export function firstLine(stderr: string, otherwise: string): string {
  return stderr.trim().split('\n')[0]?.trim().slice(0, 300) || otherwise;
}
