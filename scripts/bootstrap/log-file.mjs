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
  let isReopening = false;
  const open = () => {
    stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
    stream.on('error', (error) => {
      if (failedAt === null) report(`The log ${file} can't be written: ${error.message}.`);
      failedAt = performance.now();
      isReopening = false;
    });
  };
  const reopen = () => {
    isReopening = true;
    open();
    stream.write('Lines are missing here: the log could not be written.\n', (error) => {
      if (error) return;
      failedAt = null;
      isReopening = false;
      report(`The log ${file} is written again.`);
    });
  };
  open();
  return {
    write(line) {
      if (failedAt === null) stream.write(line);
      else if (!isReopening && performance.now() - failedAt >= reopenMs) reopen();
    },
    close: () =>
      new Promise((resolve) => {
        if (failedAt !== null) resolve();
        else stream.end(resolve);
      }),
  };
}
