import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { down, healthy, type Probe } from './outcome';

/** `target` is a program's name, words of a command line, or the absolute path of a pid file. */
export const probeProcess: Probe = async (check, signal) => {
  const target = check.target.trim();
  if (target.startsWith('/') && target.endsWith('.pid')) return probePidFile(target);
  for (const entry of await readdir('/proc')) {
    if (signal.aborted) break;
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const commandLine = await readText(`/proc/${entry}/cmdline`);
    if (commandLine && matchesCommand(target, commandLine.split('\0')) && (await isAlive(entry))) {
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
  return (await isAlive(pid)) ? healthy : down(`Process ${pid} of ${file} is not running.`);
}

async function isAlive(pid: string): Promise<boolean> {
  const stat = await readText(`/proc/${pid}/stat`);
  // "pid (name) STATE …": the name may hold brackets and spaces. Z and X have ended already.
  const state = stat?.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
