/** What a command that a rule allows is run as: its program, copies of its files, its secrets. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandDecision } from '@/lib/commands/decide';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { findProgram } from '../process/find-program';
import { gitCeilings } from '../process/limits';
import { commandDigest } from './command-digest';
import { withCopies } from './file-copies';
import type { AskedPermission } from './permission';

export interface PrepareOptions {
  /** The project's work folder on the host, without symbolic links. */
  workDir: string;
  /** Of the commands, complete but for secrets. PATH is where their programs are looked for. */
  env: Record<string, string>;
  /** Variables for the commands of a rule, and names of those that this host doesn't have. */
  secretsOf(rule: string): CommandSecrets;
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>;
  /** Of this host, for what binds an approval to a command. */
  digestKey: Buffer;
  /** What the agent has said last. */
  reason(): string;
}

export interface CommandSecrets {
  env: Record<string, string>;
  missing: readonly string[];
}

export type AllowedCommand = Extract<CommandDecision, { verdict: 'allowed' }>;

export interface PreparedCommand {
  /** Absolute path of the program. */
  file: string;
  args: readonly string[];
  env: Record<string, string>;
  /** An empty folder of its own, which its caller removes: nothing above belongs to a project. */
  cwd: string;
  /** What a person would be shown of it. */
  approval: NonNullable<AskedPermission['approval']>;
}

/** Why a command that a rule allows doesn't run. */
export interface Obstacle {
  code: string;
  message: string;
  exitCode?: number;
}

const NOT_FOUND_CODE = 127;
const MAX_REASON = 4_000;

/**
 * @param cwd the agent's folder in its sandbox
 * @param folder of the command's own, for copies
 * @throws CopyError for a file that can't be passed
 */
export async function prepareCommand(
  options: PrepareOptions,
  decision: AllowedCommand,
  cwd: string,
  folder: string,
): Promise<PreparedCommand | Obstacle> {
  const { rule } = decision;
  const passed = await withCopies(decision.argv, options.workDir, folder);
  const [program = '', ...args] = passed.argv;
  const file = findProgram(program, options.env.PATH ?? '');
  if (!path.isAbsolute(file)) {
    const message = `${program} isn’t installed on the runner’s host.`;
    return { code: 'not_installed', message, exitCode: NOT_FOUND_CODE };
  }
  const secrets = options.secretsOf(decision.namedBy);
  if (secrets.missing.length > 0) {
    const message = `${rule} needs ${secrets.missing.join(', ')}, and the runner’s secrets folder has no usable file of that name.`;
    return { code: 'secret_missing', message };
  }
  const approval = {
    ...{ rule, cwd, files: [...passed.files] },
    reason: options.redactor.text(options.reason()).slice(-MAX_REASON),
    digest: commandDigest(options.digestKey, decision.argv, cwd, passed.files),
  };
  const empty = await mkdtemp(path.join(tmpdir(), 'tierwatch-command-'));
  // What the broker sets itself, such as PATH, can't be replaced.
  const env = { ...secrets.env, ...options.env, ...gitCeilings(empty) };
  return { file, args, env, cwd: empty, approval };
}
