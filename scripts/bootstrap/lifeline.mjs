/**
 * Loaded first into every process that a start runs (`node --import`). The start holds the other end
 * of a pipe; when the start is killed the pipe breaks, and this process stops as on SIGTERM. A
 * process whose main thread is stuck can't do that: see `guard.mjs`, which kills from outside.
 */
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** How long stopping may take without the start, in milliseconds. */
const STOP_WITHIN_MS = 8_000;

function endWithParent(fd) {
  const pipe = new net.Socket({ fd, readable: true, writable: false });
  const leave = () => {
    // Not process.exit: its hooks may wait for what is stuck.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_WITHIN_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  pipe.on('error', () => {});
  pipe.once('close', leave);
  pipe.resume();
  pipe.unref();
}

/** Stops this process (SIGTERM to itself) when the start that runs it is gone. Called again, does nothing. */
export function exitWhenParentGone() {
  const fd = Number(process.env.TIERWATCH_LIFELINE_FD);
  // Not for what this process starts: the pipe is not theirs.
  delete process.env.TIERWATCH_LIFELINE_FD;
  if (isMainThread && Number.isInteger(fd) && fd > 2) endWithParent(fd);
}

exitWhenParentGone();
