import { spawn } from 'node:child_process';

/** How long stopping may take once this process was killed, in seconds. */
const KILL_AFTER_SECONDS = 8;

/**
 * Stops a process when this one is killed without a chance to do so itself: a shell that reads from a
 * pipe of ours until the pipe breaks. It works from outside, so a process whose main thread is stuck
 * ends too. Does nothing on Windows.
 *
 * @param {number} pid
 * @param {{ signal?: string, killAfterSeconds?: number | null, hasGroup?: boolean }} [how] `signal` is
 *   sent first, as the shell names it. After `killAfterSeconds` the process is killed; null: never.
 *   With `hasGroup` it leads a process group, which is killed with it.
 * @returns {{ dismiss: () => void }} to call once the process has ended
 */
export function guardProcess(
  pid,
  { signal = 'TERM', killAfterSeconds = KILL_AFTER_SECONDS, hasGroup = false } = {},
) {
  if (process.platform === 'win32') return { dismiss: () => {} };
  const guard = spawn(
    '/bin/sh',
    [
      '-c',
      SCRIPT,
      'tierwatch-guard',
      ...[String(pid), signal, String(killAfterSeconds ?? 0), `${hasGroup ? '-' : ''}${pid}`],
    ],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      detached: true,
    },
  );
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  guard.stdin?.unref?.();
  return { dismiss: () => guard.stdin?.end('stop\n') };
}

const SCRIPT = `
read -r word && exit 0
kill -s "$2" "$1" || exit 0
[ "$3" -gt 0 ] || exit 0
waited=0
while kill -0 "$1" 2>/dev/null && [ "$waited" -lt "$3" ]; do sleep 1; waited=$((waited + 1)); done
kill -s KILL -- "$4"
`;
