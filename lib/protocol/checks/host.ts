import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { degraded, down, healthy, type Probe, type ProbeResult } from './outcome';

interface CommandOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program without a shell. Rejects only when it cannot be started. */
function runCommand(file: string, args: string[], signal: AbortSignal): Promise<CommandOutput> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { signal, maxBuffer: 1_000_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') {
        const isMissing = 'code' in error && String(error.code) === 'ENOENT';
        reject(isMissing ? new Error(`There is no ${file} on this runner.`) : error);
        return;
      }
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const stateSchema = z.object({
  Status: z.string(),
  ExitCode: z.number().default(0),
  Health: z.object({ Status: z.string() }).nullish(),
});
type ContainerState = z.infer<typeof stateSchema>;

export const probeContainer: Probe = async (check, signal) => {
  const args = ['inspect', '--type', 'container', '--format', '{{json .State}}', '--'];
  const output = await runCommand('docker', [...args, check.target.trim()], signal);
  if (output.code !== 0) {
    return down(output.stderr.trim().split('\n')[0] || 'docker inspect failed without a message.');
  }
  return judgeContainer(stateSchema.parse(JSON.parse(output.stdout)));
};

/** A running container is as healthy as its own health check says, where it has one. */
export function judgeContainer(state: ContainerState): ProbeResult {
  if (state.Status === 'exited' || state.Status === 'dead') {
    return down(`The container has exited with code ${state.ExitCode}.`);
  }
  if (state.Status === 'restarting' || state.Status === 'paused') {
    return degraded(`The container is ${state.Status}.`);
  }
  if (state.Status !== 'running') return down(`The container is ${state.Status}.`);
  const health = state.Health?.Status ?? 'none';
  if (health === 'unhealthy') return down('The container’s health check is failing.');
  if (health === 'starting') return degraded('The container is starting.');
  return healthy;
}

/** `target` is a program's name, words of a command line, or the absolute path of a pid file. */
export const probeProcess: Probe = async (check, signal) => {
  const target = check.target.trim();
  if (target.startsWith('/') && target.endsWith('.pid')) return probePidFile(target);
  for (const entry of await readdir('/proc')) {
    if (signal.aborted) break;
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const commandLine = await readText(`/proc/${entry}/cmdline`);
    if (commandLine && matchesCommand(target, commandLine.split('\0')) && isAlive(entry)) {
      return healthy;
    }
  }
  return down(`No process "${target}" is running.`);
};

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

async function probePidFile(file: string) {
  const content = await readText(file);
  if (content === null) return down(`There is no pid file ${file}.`);
  const pid = content.trim();
  if (!/^[1-9]\d*$/.test(pid)) return down(`The pid file ${file} holds no process id.`);
  return isAlive(pid) ? healthy : down(`Process ${pid} of ${file} is not running.`);
}

function isAlive(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (name) STATE …": the name may hold brackets and spaces. Z and X have ended already.
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}

export const probeSystemService: Probe = async (check, signal) => {
  const output = await runCommand('systemctl', ['is-active', '--', check.target.trim()], signal);
  return judgeUnit(output.stdout.trim(), output.stderr.trim());
};

/** `state` is what `systemctl is-active` prints: active, inactive, failed, activating and so on. */
export function judgeUnit(state: string, stderr: string): ProbeResult {
  if (state === 'active') return healthy;
  if (['activating', 'reloading', 'deactivating', 'refreshing', 'maintenance'].includes(state)) {
    return degraded(`The unit is ${state}.`);
  }
  return down(state ? `The unit is ${state}.` : stderr || 'systemctl printed nothing.');
}
