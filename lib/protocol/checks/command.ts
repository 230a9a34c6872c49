/** A program of the runner's host whose exit code is the result. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CheckSpec } from '../spec';
import { parseArgv } from './argv';
import { codeOf, degraded, down, healthy, type Probe, type ProbeResult, unknown } from './outcome';

/** Where programs are looked for, whatever the runner's own PATH leads to. */
const PROGRAM_FOLDERS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** A program that prints more is ended, in bytes. */
const MAX_OUTPUT_BYTES = 1_000_000;
/** Of its output, what is kept for people, in characters. */
const MAX_KEPT = 1_000;

export const probeCommand: Probe = async (check, { signal, whenTimeIsUp }) => {
  const parsed = parseArgv(check.target);
  if (!parsed.ok) return unknown(parsed.problem);
  whenTimeIsUp(down(`The command did not end within ${check.timeoutSeconds} s.`));
  const folder = await mkdtemp(path.join(tmpdir(), 'tierwatch-check-'));
  try {
    return judgeEnd(check, await run(parsed.argv, folder, signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export interface CommandEnd {
  exitCode: number | null;
  signal: string | null;
  /** Code of a system error if it couldn't be started. */
  startError: string | null;
  output: string;
  /** It printed too much, so it was ended. */
  isCut: boolean;
}

/**
 * Runs a program without a shell and without input, in an empty folder, with no variables of the runner:
 * its keys and settings are not the command's. What it starts ends with it.
 */
function run(
  [file = '', ...args]: string[],
  folder: string,
  signal: AbortSignal,
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    let output = '';
    let bytes = 0;
    let isCut = false;
    const env = { PATH: PROGRAM_FOLDERS, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' };
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...env } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which can be ended as a whole.
      detached: true,
    });
    const end = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has ended already.
      }
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (output.length < MAX_KEPT) output += chunk.toString('utf8');
        if (bytes <= MAX_OUTPUT_BYTES || isCut) return;
        isCut = true;
        end();
      });
    }
    const finish = (how: Pick<CommandEnd, 'exitCode' | 'signal' | 'startError'>) => {
      signal.removeEventListener('abort', end);
      resolve({ ...how, output: output.slice(0, MAX_KEPT), isCut });
    };
    child.once('error', (error) => {
      finish({ exitCode: null, signal: null, startError: codeOf(error) || error.message });
    });
    // What it left behind must not outlive it, nor hold its output open.
    child.once('exit', end);
    child.once('close', (exitCode, by) => finish({ exitCode, signal: by, startError: null }));
  });
}

/** Judges a program that has ended: an exit code is a result, and everything else isn't. */
export function judgeEnd(
  { target, exitCodes = [0], expectText }: Pick<CheckSpec, 'target' | 'exitCodes' | 'expectText'>,
  { exitCode, signal, startError, output, isCut }: CommandEnd,
): ProbeResult {
  const program = target.trim().split(/\s/)[0];
  if (startError !== null) {
    return unknown(
      startError === 'ENOENT'
        ? `There is no ${program} on this runner.`
        : `The runner could not start ${program} (${startError}).`,
    );
  }
  if (isCut)
    return unknown(`${program} printed more than ${MAX_OUTPUT_BYTES} bytes and was ended.`);
  if (exitCode === null) return unknown(`${program} was ended by ${signal ?? 'a signal'}.`);
  const facts = { exitCode, output };
  if (!exitCodes.includes(exitCode)) {
    const said = output.trim().split('\n')[0]?.trim().slice(0, 200);
    const why = said ? `: ${said}` : '.';
    return { ...down(`Exit code ${exitCode}, expected ${exitCodes.join(' or ')}${why}`), facts };
  }
  if (expectText && !output.includes(expectText)) {
    return { ...degraded(`The output does not contain "${expectText}".`), facts };
  }
  return { ...healthy, facts };
}
