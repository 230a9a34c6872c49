/**
 * The commands of checks: decided by tier 1's rules and the catalog, and run by the command broker's
 * own code, without a shell and without anything of the runner.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { commandCheckRefusal } from '@/lib/projects/command-check';
import {
  type CommandEnd,
  MAX_COMMAND_BYTES,
  MAX_KEPT_OUTPUT,
  type RunCheckCommand,
} from '@/lib/protocol/checks/command';
import type { CommandPolicy } from '@/lib/protocol/spec';
import { runCommand } from '../broker/command-run';
import { findProgram } from '../process/find-program';

/** Where programs are looked for, whatever the runner's own PATH leads to. */
const PROGRAM_FOLDERS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns how commands of a project's checks are run; `policy` as for `commandCheckRefusal`. */
export function checkCommands(policy: CommandPolicy | null): RunCheckCommand {
  return async (check, argv, signal) => {
    const refusal = commandCheckRefusal(check, policy);
    return refusal === null ? runInEmptyFolder(argv, signal) : { refusal };
  };
}

/**
 * Runs a program in an empty folder, with no variables of the runner: its keys and settings are not the
 * command's. What it starts ends with it.
 */
export async function runInEmptyFolder(
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
): Promise<CommandEnd> {
  const file = findProgram(program, PROGRAM_FOLDERS);
  if (!path.isAbsolute(file)) return notStarted('ENOENT');
  let folder: string;
  try {
    folder = await mkdtemp(path.join(tmpdir(), 'tierwatch-check-'));
  } catch (error) {
    // A full disk of the runner's host says nothing about the service.
    return notStarted(`the runner couldn’t make a folder for it: ${(error as Error).message}`);
  }
  try {
    return await runIn(folder, file, args, signal);
  } finally {
    // What it left may still be writing there; its result stands all the same.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function runIn(
  folder: string,
  file: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandEnd> {
  if (signal.aborted) return notStarted('its time was up');
  const env = { PATH: PROGRAM_FOLDERS, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' };
  const redactor = createRedactor({ secrets: [] });
  const run = runCommand({ file, args, env, cwd: folder, redactor, cgroup: null });
  let output = '';
  let bytes = 0;
  const streams = [run.stdout, run.stderr];
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (output.length < MAX_KEPT_OUTPUT) output += chunk.toString('utf8');
      if (bytes > MAX_COMMAND_BYTES) run.kill();
    });
    // It waits for a reader.
    stream.resume();
  }
  // One that is destroyed with its command has nothing left to read.
  const read = Promise.allSettled(streams.map((stream) => finished(stream)));
  const kill = () => run.kill();
  signal.addEventListener('abort', kill, { once: true });
  const { exitCode, signal: by, startError } = await run.ended;
  await read;
  signal.removeEventListener('abort', kill);
  const kept = output.slice(0, MAX_KEPT_OUTPUT);
  return { exitCode, signal: by, startError, output: kept, isCut: bytes > MAX_COMMAND_BYTES };
}

function notStarted(startError: string): CommandEnd {
  return { exitCode: null, signal: null, startError, output: '', isCut: false };
}
