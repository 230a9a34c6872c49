/** Whether a sandbox can limit how many processes its agent has: found out by trying. */
import { execFile } from 'node:child_process';
import { completeEnv } from '../process/environment';
import { bwrapOptions } from './bwrap';
import type { SandboxProgram } from './confinement';
import { hostMounts, readOnly } from './host-view';

const PROBE_MS = 5_000;
/** More than the threads that Node needs to start: without those it doesn't end. */
const PROBED = 24;
/** Starts that many shells, and prints how many of them the kernel refused. */
const PROBE = `
const { spawn } = require('node:child_process');
let refused = 0;
for (let count = 0; count < ${PROBED}; count += 1) {
  spawn('/bin/sh', ['-c', 'read line']).on('error', ({ code }) => { refused += code === 'EAGAIN'; });
}
setImmediate(() => { process.stdout.write(String(refused)); process.exit(0); });
`;

/**
 * Within the sandbox the limit counts the sandbox's own processes alone, since Linux 5.14. Nothing limits
 * root's. Shells name the option differently.
 */
export function limitProcesses(count: number): string {
  return `{ ulimit -u ${count} || ulimit -p ${count} || :; } 2>/dev/null`;
}

/** @returns null if it isn't known: the host was too busy, or counts all processes of the account */
export function canLimitProcesses({ file, confinement }: SandboxProgram): Promise<boolean | null> {
  const options = bwrapOptions({
    mounts: [...hostMounts([]), readOnly(process.execPath)],
    env: {},
    cwd: '/',
    processList: confinement.state === 'confined' ? 'own' : 'host',
  });
  const shell = ['/bin/sh', '-c', `${limitProcesses(PROBED)}; exec "$@"`, 'probe'];
  const args = [...options, '--', ...shell, process.execPath, '-e', PROBE];
  return new Promise((resolve) => {
    const running = { env: completeEnv({}), timeout: PROBE_MS, cwd: '/' };
    execFile(file, args, { ...running, killSignal: 'SIGKILL' }, (_error, stdout) =>
      resolve(stdout === '' ? null : Number(stdout) > 0),
    );
  });
}
