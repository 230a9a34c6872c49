import { createWriteStream } from 'node:fs';

/** How long a log file that can't be written is left alone, in milliseconds. */
const REOPEN_MS = 10_000;

/**
 * Writes lines to a log file. While it can't be written (a full disk), lines are left out of it, which
 * is reported when it begins and when it ends.
 *
 * @param {string} file
 * @param {(text: string) => void} report
 * @param {{ reopenMs?: number }} [options]
 * @returns {{ write: (line: string) => void, close: () => Promise<void> }}
 */
export function openLogFile(file, report, { reopenMs = REOPEN_MS } = {}) {
  let stream;
  let failedAt = null;
  const open = () => {
    stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
    stream.on('error', (error) => {
      if (failedAt === null) report(`The log ${file} can't be written: ${error.message}.`);
      failedAt = performance.now();
    });
  };
  open();
  return {
    write(line) {
      if (failedAt !== null) {
        if (performance.now() - failedAt < reopenMs) return;
        open();
        stream.once('open', () => {
          stream.write('Lines are missing here: the log could not be written.\n', (error) => {
            if (error) return;
            failedAt = null;
            report(`The log ${file} is written again.`);
          });
        });
        // Until that has been written, nothing else is tried.
        failedAt = performance.now();
        return;
      }
      stream.write(line);
    },
    close: () =>
      new Promise((resolve) => {
        if (failedAt !== null) resolve();
        else stream.end(resolve);
      }),
  };
}
