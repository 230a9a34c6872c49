/**
 * Finds out whether this host can confine an agent, by confining a shell and having it try what an
 * agent must not be able to do.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Confinement, ConfinementCause } from '@/lib/protocol/confinement';
import { completeEnv } from '../process/environment';
import { findProgram } from '../process/find-program';
import { bwrapOptions, type Sandbox } from './bwrap';
import { hostMounts } from './host-view';

export interface SandboxProgram {
  /** Absolute path of bubblewrap. */
  file: string;
  confinement: Confinement;
}

const PROBE_MS = 10_000;
const MAX_DETAIL = 500;

/**
 * Prints a line for each thing that is reachable, and `done`. The shell's own commands suffice, so
 * it needs no program of the host.
 *
 * `$1`: a file of the runner, `$2`: the host's process ID of the runner.
 */
const PROBE = `
while read -r name value; do
  [ "$name" != CapEff: ] || [ "$value" = 0000000000000000 ] || echo "capabilities $value"
done < /proc/self/status
while IFS=: read -r name rest; do
  name=\${name##* }
  case $name in *[!a-z0-9]*|''|lo) ;; *) [ -z "$rest" ] || case $rest in *'|'*) ;; *) echo "network $name" ;; esac ;; esac
done < /proc/net/dev
[ ! -e "$1" ] || echo "file $1"
for folder in / /usr /etc /dev; do
  if (: > "$folder/.tierwatch-probe") 2>/dev/null; then echo "writable $folder"; fi
done
for setting in sysrq-trigger sys/kernel/core_pattern; do
  if (: > "/proc/$setting") 2>/dev/null; then echo "writable /proc/$setting"; fi
done
if kill -0 "$2" 2>/dev/null && [ "$2" -gt 50 ]; then echo "process $2"; fi
while read -r line; do
  case $line in *TIERWATCH_PROBE*) echo "environment" ;; esac
done < /proc/1/environ
echo done
`;

/**
 * @param runnerDir the runner's own folder, which the sandbox must not show
 * @param searchPath where bubblewrap is looked for
 */
export async function findSandbox(
  runnerDir: string,
  searchPath: string,
): Promise<SandboxProgram | Confinement> {
  if (process.platform !== 'linux') return none('not_linux', null);
  const file = findProgram('bwrap', searchPath);
  if (!path.isAbsolute(file)) return none('not_installed', null);
  const own = await probe(file, runnerDir, 'own');
  if (own.state !== 'none') return { file, confinement: own };
  if (own.cause !== 'proc_masked') return own;
  const visible = await probe(file, runnerDir, 'host');
  if (visible.state === 'none') return visible;
  const confinement = { ...own, state: 'process_list_visible' as const };
  return { file, confinement };
}

async function probe(
  file: string,
  runnerDir: string,
  processList: Sandbox['processList'],
): Promise<Confinement> {
  const secret = path.join(runnerDir, `probe-${randomUUID()}`);
  mkdirSync(runnerDir, { recursive: true, mode: 0o700 });
  writeFileSync(secret, '', { mode: 0o600 });
  try {
    const mounts = hostMounts([runnerDir]);
    const options = bwrapOptions({ mounts, env: {}, cwd: '/', processList });
    const shell = ['/bin/sh', '-c', PROBE, 'probe', secret, String(process.pid)];
    const { stdout, stderr } = await run(file, [...options, '--', ...shell]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    if (lines.at(-1) !== 'done') return none(causeOf(stderr), stderr.trim() || null);
    const leaks = lines.slice(0, -1);
    if (leaks.length > 0) return none('leaks', `Reachable: ${leaks.join(', ')}`);
    return { state: 'confined', cause: null, detail: null };
  } finally {
    rmSync(secret, { force: true });
  }
}

function none(cause: Confinement['cause'], detail: string | null): Confinement {
  return { state: 'none', cause, detail: detail?.slice(0, MAX_DETAIL) ?? null };
}

function run(file: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = {
      // In the sandbox, the environment of its first process can be read.
      env: completeEnv({}),
      timeout: PROBE_MS,
      killSignal: 'SIGKILL' as const,
      cwd: '/',
    };
    execFile(file, args, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

/** What bubblewrap prints, most specific first. */
const BY_MESSAGE: readonly (readonly [RegExp, ConfinementCause])[] = [
  [/unknown option/i, 'too_old'],
  [/mount proc .*not permitted/i, 'proc_masked'],
  [/setting up uid map: permission denied|RTM_NEWADDR: operation not permitted/i, 'apparmor'],
  [/nesting depth|max_\S*_namespaces|ENOSPC|no space left on device/i, 'namespaces_exhausted'],
  [
    /no permissions to create (a )?new namespace|new namespace failed: operation not permitted|unshare.*operation not permitted/i,
    'namespaces_filtered',
  ],
];

/** Returns why bubblewrap couldn't make a sandbox, by what it printed. */
export function causeOf(stderr: string): ConfinementCause {
  return BY_MESSAGE.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'unknown';
}
