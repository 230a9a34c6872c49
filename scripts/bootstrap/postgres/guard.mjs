import { spawn } from 'node:child_process';

/**
 * Stops the server when this process is killed without a chance to do so itself: a shell that reads
 * from a pipe of ours until the pipe breaks. Without it (Windows) the next start takes the server over.
 * @param {number} serverPid
 * @returns {{ dismiss: () => void }}
 */
export function guardServer(serverPid) {
  if (process.platform === 'win32') return { dismiss: () => {} };
  const script = 'read -r word || kill -INT "$1"';
  const guard = spawn('/bin/sh', ['-c', script, 'tierwatch-guard', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    cwd: '/',
    detached: true,
  });
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  guard.stdin?.unref?.();
  return { dismiss: () => guard.stdin?.end('stop\n') };
}
