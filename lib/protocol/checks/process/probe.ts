import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { down, healthy, type Probe, type ProbeResult, unknown } from '../outcome';
import type { process as kind } from './kind';

/** Of times in /proc, per second: Linux reports them in this unit on every architecture. */
const TICKS_A_SECOND = 100;

/**
 * `target` is a program's name, words of a command line, or the absolute path of a pid file. Processes in
 * containers and sandboxes don't count, and neither do those that an agent has started.
 */
export const probeProcess: Probe<typeof kind.fields> = async (check, { signal }) => {
  const target = check.target.trim();
  const bootSeconds = bootTime((await readText('/proc/stat')) ?? '');
  if (bootSeconds === null)
    return unknown('The runner’s host has no /proc to read processes from.');
  if (target.startsWith('/') && target.endsWith('.pid')) return probePidFile(target, bootSeconds);
  let oldest: LiveProcess | null = null;
  let others = 0;
  for (const pid of await readdir('/proc')) {
    if (signal.aborted) break;
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const commandLine = await readText(`/proc/${pid}/cmdline`);
    if (!commandLine || !matchesCommand(target, commandLine.split('\0'))) continue;
    const found = await findProcess(pid);
    if (!found) continue;
    if (!(await isOfHost(pid))) others += 1;
    else if (!oldest || found.startTicks < oldest.startTicks) oldest = found;
  }
  if (oldest) return running(oldest, bootSeconds);
  // Without the first process, /proc hides those of other accounts (hidepid).
  if ((await readText('/proc/1/stat')) === null) {
    return unknown(
      `The runner can’t see processes of other accounts, and has none called "${target}".`,
    );
  }
  return down(`No process "${target}" is running${others > 0 ? `, ${ELSEWHERE}` : ''}.`);
};

const ELSEWHERE = 'except in containers or started by an agent';

/** Whether a process is in the runner's own PID namespace, and neither it nor a parent is an attempt's. */
async function isOfHost(pid: string): Promise<boolean> {
  const status = await readText(`/proc/${pid}/status`);
  // The process id in each namespace from the runner's inward. Anyone may read it, unlike /proc/<pid>/ns.
  const ids = /^NSpid:\s*(.+)$/m.exec(status ?? '')?.[1]?.split(/\s+/) ?? [];
  return ids.length <= 1 && !(await isOfAttempt(pid));
}

async function isOfAttempt(pid: string): Promise<boolean> {
  const environment = await readText(`/proc/${pid}/environ`);
  if (environment?.split('\0').some((line) => line.startsWith(`${MARKER_VARIABLE}=`))) return true;
  const parent = /^PPid:\s*(\d+)$/m.exec((await readText(`/proc/${pid}/status`)) ?? '')?.[1] ?? '0';
  return Number(parent) > 1 && Number(parent) !== process.pid && isOfAttempt(parent);
}

/**
 * A single word must be the program itself (`nginx` is not `vim nginx.conf`); a target with a
 * space or a slash is looked for in the whole command line.
 */
export function matchesCommand(target: string, argv: string[]): boolean {
  const commandLine = argv.join(' ').trim();
  if (/[\s/]/.test(target)) return commandLine.includes(target);
  const program = (argv[0] ?? '').split(' ')[0] ?? '';
  return path.basename(program).replace(/:$/, '') === target;
}

async function probePidFile(file: string, bootSeconds: number): Promise<ProbeResult> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (isHidden) return unknown(`The runner isn’t permitted to read the pid file ${file}.`);
    return down(`There is no pid file ${file}.`);
  }
  const pid = content.trim();
  if (!/^[1-9]\d*$/.test(pid)) return down(`The pid file ${file} holds no process id.`);
  const found = await findProcess(pid);
  if (!found || !(await isOfHost(pid))) {
    return down(`Process ${pid} of ${file} is not running${found ? `, ${ELSEWHERE}` : ''}.`);
  }
  return running(found, bootSeconds);
}

interface LiveProcess {
  pid: string;
  /** Since the host's start, in 1/100 s. */
  startTicks: number;
}

/** A restart shows as another start time, even if there was a process at each check. */
function running({ pid, startTicks }: LiveProcess, bootSeconds: number): ProbeResult {
  const startedAt = new Date((bootSeconds + startTicks / TICKS_A_SECOND) * 1_000).toISOString();
  return { ...healthy, facts: { startedAt, instance: `${pid} ${startTicks}` } };
}

async function findProcess(pid: string): Promise<LiveProcess | null> {
  const stat = parseStat((await readText(`/proc/${pid}/stat`)) ?? '');
  return stat && !['Z', 'X'].includes(stat.state) ? { pid, startTicks: stat.startTicks } : null;
}

/** Reads `pid (name) STATE …`. The name may hold brackets and spaces; the 22nd field is the start time. */
export function parseStat(stat: string): { state: string; startTicks: number } | null {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [state = '', startTicks = ''] = [fields[0], fields[19]];
  return /^[A-Za-z]$/.test(state) && /^\d+$/.test(startTicks)
    ? { state, startTicks: Number(startTicks) }
    : null;
}

/** Returns when the host started, in seconds since the epoch, from /proc/stat. */
function bootTime(stat: string): number | null {
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
