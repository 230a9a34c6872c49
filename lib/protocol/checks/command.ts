import { execFile } from 'node:child_process';

export interface CommandOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program without a shell. Rejects only when it cannot be started. */
export function runCommand(
  file: string,
  args: string[],
  signal: AbortSignal,
): Promise<CommandOutput> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { signal, maxBuffer: 1_000_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') {
        const isMissing = 'code' in error && String(error.code) === 'ENOENT';
        reject(isMissing ? new Error(`There is no ${file} on this runner.`) : error);
        return;
      }
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
