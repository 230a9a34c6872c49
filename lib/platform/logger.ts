import pino, { type DestinationStream } from 'pino';

/** Held while whoever reads stdout is slow, in bytes. Further lines are dropped and counted. */
const MAX_WAITING_BYTES = 4_000_000;

/**
 * Writes to stdout without waiting for its reader. Pino's own destination repeats a failed write
 * forever while the process exits, so a process whose output nobody reads never ended.
 */
function stdoutDestination(): DestinationStream {
  const { stdout } = process;
  // EPIPE: the reader is gone, and there is nobody left to report it to. One listener is enough for
  // all copies of this module.
  if (stdout.listenerCount('error') === 0) stdout.on('error', () => {});
  let dropped = 0;
  return {
    write(line) {
      if (stdout.writableLength > MAX_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        stdout.write(`${JSON.stringify({ level: 40, dropped, msg: 'log lines were dropped' })}\n`);
        dropped = 0;
      }
      stdout.write(line);
    },
  };
}

/** Structured logs on stdout. Callers never pass secrets, so nothing is redacted here. */
export const logger = pino(
  {
    level: process.env.LOG_LEVEL ?? 'info',
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
  },
  stdoutDestination(),
);
