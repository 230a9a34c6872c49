/**
 * Loaded first into every process that a start runs (`node --import`). The start holds the other end
 * of a pipe; when it is killed the pipe breaks, and this process ends as if told to.
 */
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const LAST_RESORT_MS = 25_000;

function endWithParent(fd) {
  const pipe = new net.Socket({ fd, readable: true, writable: false });
  const leave = () => {
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  pipe.on('error', () => {});
  pipe.once('close', leave);
  pipe.resume();
  pipe.unref();
}

/** Ends this process (SIGTERM to itself) when the start that runs it is gone. Again: nothing more. */
export function exitWhenParentGone() {
  const fd = Number(process.env.TIERWATCH_LIFELINE_FD);
  // Not for what this process starts: the pipe is not theirs.
  delete process.env.TIERWATCH_LIFELINE_FD;
  if (isMainThread && Number.isInteger(fd) && fd > 2) endWithParent(fd);
}

exitWhenParentGone();
