/** Probes an agent's program: whether it starts, its version and its capabilities. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import type { AgentProgram, HostLayout } from '@/lib/agents/agent';
import { completeEnv } from '../process/environment';
import { isFile, statOf } from '../process/find-program';
import { type StartError, startErrorOf } from '../process/start-error';
import type { ProbedAgent } from './agents';

const HEAD_BYTES = 1_000_000;
export const ANSWER_TIMEOUT_MS = 20_000;

export interface Probe {
  probed: ProbedAgent;
  /** False: the program didn't answer in time, as on an overloaded host, so it has to be asked again. */
  isConclusive: boolean;
}

/**
 * Starts a program to see its version and flags. Never rejects: what is wrong is `startError`.
 *
 * @param env the whole environment of the program
 * @param timeoutMs how long each of its answers may take
 */
export async function probeAgent(
  binary: HostLayout['binary'],
  program: Pick<AgentProgram, 'readVersion' | 'canResume'>,
  env: Record<string, string>,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<Probe> {
  const unusable = { binary, version: null, fingerprint: null, canResume: false };
  const wrong = (startError: StartError) => ({
    probed: { ...unusable, startError },
    isConclusive: true,
  });
  const late = (flag: string) => {
    const seconds = Math.round(timeoutMs / 1_000);
    const message = `${binary.file} didn't answer ${flag} within ${seconds} s. The runner asks again.`;
    return { ...wrong({ code: 'version', message }), isConclusive: false };
  };
  try {
    accessSync(binary.file, constants.X_OK);
    if (!isFile(binary.file)) throw Object.assign(new Error('is not a file'), { code: 'EACCES' });
  } catch (error) {
    return wrong(startErrorOf(error, binary.file));
  }
  const said = await ask(binary, ['--version'], env, timeoutMs);
  if (said === null) return late('--version');
  const version = program.readVersion(said.trim());
  if (version === null) {
    const answer = said.trim().slice(0, 100) || 'nothing';
    const message = `${binary.file} printed this for --version: ${answer}. That is not a known agent.`;
    return wrong({ code: 'version', message });
  }
  const help = await ask(binary, ['--help'], env, timeoutMs);
  if (help === null) return late('--help');
  const flags = new Set(help.match(/--[a-z][a-z-]+/g) ?? []);
  const probed = {
    binary,
    version,
    fingerprint: fingerprint(binary, version, flags),
    canResume: program.canResume(flags),
    startError: null,
  };
  return { probed, isConclusive: true };
}

/** Changes whenever the program was replaced; empty while there is none. */
export function programStamp({ file, args }: HostLayout['binary']): string {
  const found = [file, ...args].map(statOf);
  return found.map((stat) => (stat ? `${stat.size}/${stat.mtimeMs}/${stat.mode}` : '')).join(' ');
}

function fingerprint(binary: HostLayout['binary'], version: string, flags: Set<string>): string {
  const hash = createHash('sha256').update(`${version}\n${programStamp(binary)}\n`);
  for (const file of [binary.file, ...binary.args].filter(isFile)) hash.update(head(file));
  return hash.update([...flags].sort().join(' ')).digest('hex');
}

function head(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns what the program printed; null if it didn't end in time. */
function ask(
  binary: HostLayout['binary'],
  flags: string[],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = {
      env: completeEnv(env),
      timeout: timeoutMs,
      killSignal: 'SIGKILL' as const,
    };
    try {
      execFile(binary.file, [...binary.args, ...flags], options, (error, stdout) =>
        resolve(error?.killed ? null : stdout),
      );
    } catch {
      resolve('');
    }
  });
}
