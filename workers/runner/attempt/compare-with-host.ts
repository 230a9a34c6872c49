import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { type Command, shownArgv } from '@/lib/agents/agent';
import { cutWithRemark } from '@/lib/agents/event-size';
import { isSecretName } from '@/lib/platform/redaction/assigned-secrets';
import type { ConfinementState } from '@/lib/protocol/confinement';
import type { CommandEvent } from '@/lib/protocol/events';
import type { StartSpec, Transcript } from '@/lib/protocol/spec';
import { type ConfigFolder, findKeptFiles } from '../conversations/kept-files';
import type { StartError } from '../process/start-error';
import type { AgentHost } from './agents';

interface Comparison {
  verified: VerifiedFact[];
  /** The first difference. */
  error: StartError | null;
}

/**
 * Compares the host with what the decision was made for: the agent, and for a conversation to resume
 * the files that its process left.
 */
export function compareWithHost(
  { continuation, agent }: StartSpec,
  workDir: string,
  kept: ConfigFolder,
  host: AgentHost,
): Comparison {
  const verified: VerifiedFact[] = [];
  if (agent?.fingerprint && host.fingerprint !== null) {
    const difference = agentDifference(agent, host);
    if (difference) return { verified, error: { code: 'agent_changed', message: difference } };
    verified.push('agent');
  }
  if (continuation.mode !== 'resume') return { verified, error: null };
  const { parentCliSessionId, workDirInode, transcript } = continuation;
  if (workDirInode) {
    if (!isFolder(workDir, workDirInode)) {
      const message = `The work directory ${workDir} has changed since the conversation.`;
      return { verified, error: { code: 'work_dir_changed', message } };
    }
    verified.push('work_dir');
  }
  // The CLI itself rejects a conversation whose file is gone.
  const found = transcript ? readTranscript(kept, parentCliSessionId) : null;
  if (transcript && found) {
    if (found.sha256 !== transcript.sha256) {
      const message = `The transcript of conversation ${parentCliSessionId} has ${found.bytes} bytes with SHA-256 ${found.sha256}. When its process ended it had ${transcript.bytes} bytes with SHA-256 ${transcript.sha256}.`;
      return { verified, error: { code: 'transcript_changed', message } };
    }
    verified.push('transcript');
  }
  return { verified, error: null };
}

function agentDifference(
  evaluated: NonNullable<StartSpec['agent']>,
  host: AgentHost,
): string | null {
  if (evaluated.fingerprint !== host.fingerprint) {
    return `its program was replaced by version ${host.version ?? 'unknown'} since the last report.`;
  }
  return evaluated.account !== null && evaluated.account !== host.account
    ? 'its account of the model provider changed since the last report.'
    : null;
}

/** Exactly what is started, but of a variable with a secret only that it is set. */
type VerifiedFact = NonNullable<CommandEvent['verified']>[number];

export function commandEvent(options: {
  command: Command;
  /** On the host. */
  paths: { workDir: string; configDir: string };
  confinement: ConfinementState;
  start: StartSpec;
  host: Pick<AgentHost, 'version' | 'fingerprint' | 'account'>;
  /** Variables an operator passes through by name: their values are never shown. */
  passEnv: readonly string[];
  /** What was compared with the start and found equal. */
  verified: readonly VerifiedFact[];
}): CommandEvent {
  const { command, paths, start, host } = options;
  const env = Object.entries(command.env).map(([name, value]) => {
    const isHidden = options.passEnv.includes(name) || isSecretName(name);
    return [name, isHidden ? 'set' : value];
  });
  return {
    kind: 'command',
    argv: shownArgv(command).map((arg) => cutWithRemark(arg)),
    env: Object.fromEntries(env),
    // What the agent reads; a process that can ask gets it wrapped in a line of JSON.
    prompt: command.stdinStaysOpen ? start.prompt : command.stdin,
    systemPrompt: start.systemPrompt,
    workDir: paths.workDir,
    configDir: paths.configDir,
    workDirInode: folderIdentity(paths.workDir),
    verified: [...options.verified],
    cliVersion: host.version,
    fingerprint: host.fingerprint,
    account: host.account,
    confinement: options.confinement,
  };
}

/**
 * Identifies one folder: device, inode and, where the file system keeps it, its creation time. A
 * folder that was deleted and created again often gets the previous inode.
 */
function folderIdentity(dir: string): string {
  const { dev, ino, birthtimeNs } = statSync(dir, { bigint: true });
  const known = birthtimeNs > 0n ? [dev, ino, birthtimeNs] : [dev, ino];
  return known.join(':');
}

/** `expected` may be of a runner that did not look at the time yet. */
function isFolder(dir: string, expected: string): boolean {
  const found = folderIdentity(dir);
  return found === expected || found.startsWith(`${expected}:`);
}

/** None is that long. A file can say that it is larger than its disk. */
const MAX_BYTES = 500_000_000;

/** Shared: a new one for each file would make V8 collect garbage between two tiers. */
const buffer = Buffer.allocUnsafeSlow(64_000);

/** Whether the CLI has kept a conversation, in a file that isn't empty. */
export function hasTranscript(folder: ConfigFolder, cliSessionId: string): boolean {
  return transcriptFile(folder, cliSessionId) !== null;
}

/**
 * Reads a conversation's file to its end.
 *
 * @returns its size in bytes and SHA-256; null where there is no such file, or it can't be read
 */
export function readTranscript(folder: ConfigFolder, cliSessionId: string): Transcript | null {
  const file = transcriptFile(folder, cliSessionId);
  if (file === null) return null;
  try {
    return digest(file);
  } catch {
    return null;
  }
}

function digest(file: string): Transcript {
  const hash = createHash('sha256');
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  let bytes = 0;
  try {
    for (;;) {
      const count = readSync(descriptor, buffer);
      if (count === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

function transcriptFile(folder: ConfigFolder, cliSessionId: string): string | null {
  const kept = findKeptFiles(folder, [cliSessionId]);
  return kept.map(({ file }) => file).find(isFilled) ?? null;
}

function isFilled(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 && found.size <= MAX_BYTES;
}
