/** Whether a sandbox can limit how many processes its agent has: found out by trying. */
import { execFile } from 'node:child_process';
import { completeEnv } from '../process/environment';
import { bwrapOptions } from './bwrap';
import type { SandboxProgram } from './confinement';
import { hostMounts, readOnly } from './host-view';

const PROBE_MS = 10_000;
/** Fewer than the threads that Node needs to start. */
const TOO_FEW = 3;
const SAYS_STARTED = 'process.stdout.write("started")';

/**
 * Within the sandbox the limit counts the sandbox's own processes alone, since Linux 5.14; before, all
 * of the account. Nothing limits root's. Shells name the option differently.
 */
export function limitProcesses(count: number): string {
  return `{ ulimit -u ${count} || ulimit -p ${count} || :; } 2>/dev/null`;
}

export async function canLimitProcesses(program: SandboxProgram): Promise<boolean> {
  const starts = await startsNode(program, ':');
  return starts && !(await startsNode(program, limitProcesses(TOO_FEW)));
}

function startsNode({ file, confinement }: SandboxProgram, before: string): Promise<boolean> {
  const options = bwrapOptions({
    mounts: [...hostMounts([]), readOnly(process.execPath)],
    env: {},
    cwd: '/',
    processList: confinement.state === 'confined' ? 'own' : 'host',
  });
  const shell = ['/bin/sh', '-c', `${before}; exec "$@"`, 'probe'];
  const args = [...options, '--', ...shell, process.execPath, '-e', SAYS_STARTED];
  return new Promise((resolve) => {
    const running = { env: completeEnv({}), timeout: PROBE_MS, cwd: '/' };
    execFile(file, args, { ...running, killSignal: 'SIGKILL' }, (_error, stdout) =>
      resolve(stdout === 'started'),
    );
  });
}
