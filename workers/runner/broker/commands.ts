/**
 * The commands of one confined attempt: decides which may run outside its sandbox, records them, and
 * runs them.
 *
 * In order, for each: the lease and the rule for its argv; if it may change something, what the control
 * plane says (fence, stop, cooldowns) and the intent on disk; then the command itself.
 */
import { mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type CommandDecision, type CommandRules, decideCommand } from '@/lib/commands/decide';
import { isTextTool } from '@/lib/commands/inside';
import type { KnownValues } from '@/lib/commands/values';
import { logger } from '@/lib/platform/logger';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import type { Cgroup } from '../process/cgroup';
import { findProgram } from '../process/find-program';
import { INSIDE } from '../sandbox/inside';
import { commandDigest } from './command-digest';
import {
  createCommandJournal,
  type JournalledCommand,
  type JournalOptions,
} from './command-journal';
import { type CommandEnd, type CommandRun, runCommand } from './command-run';
import { CopyError, withCopies } from './file-copies';
import { askPermission, type PermissionOptions } from './permission';
import { REFUSED_CODE } from './shims';
import { realPathOutside } from './work-paths';

export interface CommandOptions extends JournalOptions {
  rules: CommandRules;
  known: KnownValues;
  /** The project's work folder on the host, without symbolic links. */
  workDir: string;
  /** A folder of the broker's own, empty. */
  dir: string;
  /** Of the commands, complete but for secrets. PATH is where their programs are looked for. */
  env: Record<string, string>;
  /** Variables for the commands of a rule, and names of those that this host doesn't have. */
  secretsOf(rule: string): CommandSecrets;
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>;
  /** Whether the attempt is still this runner's. */
  isLeaseValid(): boolean;
  /** Of this host, for what binds an approval to a command. */
  digestKey: Buffer;
  authorize: PermissionOptions['authorize'];
  /** What the agent has said last. */
  reason(): string;
  /** Whether the agent waits for nothing but its commands. */
  isAgentIdle(): boolean;
  onUnheld: PermissionOptions['onUnheld'];
  /** A cgroup for one command; null on a host without. */
  cgroupOf(number: number): Cgroup | null;
}

/** A command that was asked for. One that was refused says so on its stderr. */
export interface AskedCommand {
  run: CommandRun;
  exitCode: Promise<number>;
}

export interface CommandSecrets {
  env: Record<string, string>;
  missing: readonly string[];
}

export interface Commands {
  /**
   * @param cwd the agent's folder in its sandbox
   * @param gone aborted once nobody waits for the command
   */
  start(cwd: string, argv: string[], gone: AbortSignal): Promise<AskedCommand>;
  /** One that is longer than a command may be. */
  refuseTooLong(program: string, why: string): AskedCommand;
  /** Starts nothing more, ends all that run, and resolves when they have ended, or can't be. */
  close(): Promise<void>;
}

const MAX_RUNNING = 64;
const NOT_FOUND_CODE = 127;
const CLOSE_MS = 10_000;
const MAX_REASON = 4_000;

type AllowedCommand = Extract<CommandDecision, { verdict: 'allowed' }>;

/** Why a command doesn't run. */
interface Refusal {
  code: string;
  message: string;
  rule: string | null;
  exitCode?: number;
}

export function createCommands(options: CommandOptions): Commands {
  const journal = createCommandJournal(options);
  const running = new Map<AskedCommand, JournalledCommand>();
  /** By the number of the command, as long as something may be in it. */
  const cgroups = new Map<number, Cgroup>();
  const starting = new Set<Promise<unknown>>();
  /** Those that run and may change something. */
  const changing = new Set<number>();
  let active = 0;
  /** Of those, the ones that may wait for a person. */
  let holding = 0;
  let number = 0;
  /** Nothing more is started. */
  let isClosed = false;
  /** The agent's process ends, because a command waits for too long. */
  let isUnheld = false;
  const closing = new AbortController();
  const permission: PermissionOptions = {
    async authorize(command) {
      const answer = await options.authorize(command);
      if (answer.verdict !== 'refused') journal.expect(command.number);
      return answer;
    },
    isIdle: () => active === holding && options.isAgentIdle(),
    changesNothing: () => changing.size === 0,
    onUnheld() {
      isUnheld = true;
      options.onUnheld();
    },
    isUnheld: () => isUnheld,
  };

  async function start(cwd: string, argv: string[], gone: AbortSignal): Promise<AskedCommand> {
    number += 1;
    const own = number;
    const decision = decide(cwd, argv);
    if ('refusal' in decision) return refused(own, argv, decision.refusal);
    active += 1;
    const folder = path.join(options.dir, String(own));
    const command = { number: own, argv, rule: decision.rule, changes: decision.changes };
    let run: CommandRun | null = null;
    try {
      const started = await begin(command, cwd, gone, decision, folder);
      if ('code' in started) return refused(own, argv, { ...started, rule: decision.rule });
      run = started;
      const exitCode = run.ended.then((end) => {
        journal.ended(command, end);
        void removeFolder(folder);
        releaseCgroup(own);
        active -= 1;
        changing.delete(own);
        return codeOf(end);
      });
      const asked = { run, exitCode };
      running.set(asked, command);
      void exitCode.then(() => running.delete(asked));
      return asked;
    } finally {
      if (run === null) {
        active -= 1;
        changing.delete(own);
        void removeFolder(folder);
      }
    }
  }

  /**
   * Starts a command that a rule allows. If it may change something, everything that can prevent it is
   * looked at after the moment from which it counts as intended.
   */
  async function begin(
    command: JournalledCommand & { rule: string },
    cwd: string,
    gone: AbortSignal,
    decision: AllowedCommand,
    folder: string,
  ): Promise<CommandRun | Omit<Refusal, 'rule'>> {
    const { number: own, argv, rule, changes } = command;
    try {
      await mkdir(path.join(folder, 'empty'), { recursive: true, mode: 0o700 });
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
      const approval = decision.needsApproval
        ? {
            ...{ rule, cwd, files: [...passed.files] },
            reason: options.redactor.text(options.reason()).slice(-MAX_REASON),
            digest: commandDigest(options.digestKey, decision.argv, cwd, passed.files),
          }
        : null;
      const asked = { number: own, argv, approval, gone, closed: closing.signal };
      if (changes || approval) {
        if (approval) holding += 1;
        const held = await askPermission(permission, asked).finally(() => {
          if (approval) holding -= 1;
        });
        if (held) return held;
      }
      // The answer may have come after the attempt's result.
      if (isClosed) return OVER;
      if (changes) changing.add(own);
      await journal.started(command);
      // Either may have happened while the disk was written.
      if (changes && !options.isLeaseValid()) return LEASE_LOST;
      if (isClosed) return OVER;
      return runCommand({
        file,
        args,
        // What the broker sets itself, such as PATH, can't be replaced.
        env: { ...secrets.env, ...options.env },
        cwd: path.join(folder, 'empty'),
        redactor: options.redactor,
        cgroup: cgroupOf(own),
      });
    } catch (error) {
      if (error instanceof CopyError) return { code: 'file_not_passed', message: error.message };
      logger.error({ error: String(error) }, 'brokered command not started');
      return NOT_RECORDED;
    }
  }

  function decide(cwd: string, argv: string[]): AllowedCommand | { refusal: Refusal } {
    if (isClosed) return { refusal: { ...OVER, rule: null } };
    if (!options.isLeaseValid()) return { refusal: { ...LEASE_LOST, rule: null } };
    const [program = ''] = argv;
    if (isTextTool(program)) {
      const message = `${program} runs in the sandbox itself, and no rule lets it run outside.`;
      return { refusal: { code: 'not_brokered', message, rule: null } };
    }
    const realPath = (file: string) => realPathOutside(options.workDir, file);
    const place = { cwd, workDir: INSIDE.workDir, realPath };
    const decided = decideCommand(options.rules, argv, { known: options.known, place });
    if (decided.verdict === 'refused') {
      const { code, message, rule } = decided;
      return { refusal: { code, message, rule } };
    }
    if (active < MAX_RUNNING) return decided;
    const message = `${MAX_RUNNING} commands of this agent are running already.`;
    return { refusal: { code: 'too_many', message, rule: decided.rule } };
  }

  function refused(own: number, argv: string[], refusal: Refusal): AskedCommand {
    const { code, message, rule, exitCode = REFUSED_CODE } = refusal;
    journal.refused({ number: own, argv, rule, changes: false }, { code, message });
    return {
      run: refusedRun(`tierwatch: not run: ${message}\n`),
      exitCode: Promise.resolve(exitCode),
    };
  }

  function cgroupOf(number: number): Cgroup | null {
    const cgroup = options.cgroupOf(number);
    if (cgroup) cgroups.set(number, cgroup);
    return cgroup;
  }

  /** What the command has started in a session of its own stays until the attempt ends. */
  function releaseCgroup(number: number): void {
    const cgroup = cgroups.get(number);
    cgroup?.remove();
    if (cgroup?.pids().length === 0) cgroups.delete(number);
  }

  /** One that is being started when the attempt ends is waited for. */
  function tracked<Value>(work: Promise<Value>): Promise<Value> {
    starting.add(work);
    const done = () => starting.delete(work);
    work.then(done, done);
    return work;
  }

  async function endAll(): Promise<void> {
    await Promise.allSettled(starting);
    for (const { run } of running.keys()) run.kill();
    await Promise.all([...running.keys()].map(({ exitCode }) => exitCode));
  }

  return {
    start: (cwd, argv, gone) => tracked(start(cwd, argv, gone)),
    refuseTooLong(program, why) {
      number += 1;
      return refused(number, [program], { code: 'too_long', message: why, rule: null });
    },
    async close() {
      isClosed = true;
      closing.abort();
      const limit = new AbortController();
      const late = wait(CLOSE_MS, undefined, { signal: limit.signal }).catch(() => {});
      // One that can't be ended, such as one that has become another user, must not hold the result up.
      await Promise.race([endAll(), late]);
      limit.abort();
      for (const command of running.values()) journal.leftRunning(command);
      journal.close();
      for (const cgroup of cgroups.values()) cgroup.kill();
    },
  };
}

const OVER = { code: 'ended', message: 'This attempt has ended.' };
const LEASE_LOST = {
  code: 'lease_lost',
  message:
    'The runner has lost contact with the control plane, so this attempt may not run commands.',
};
const NOT_RECORDED = {
  code: 'not_recorded',
  message: 'The runner couldn’t record this command, so it doesn’t run it.',
};

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

function refusedRun(said: string): CommandRun {
  const end: CommandEnd = {
    exitCode: null,
    signal: null,
    startError: null,
    isLeftRunning: false,
    durationMs: 0,
    output: '',
    outputBytes: 0,
  };
  return {
    stdout: Readable.from([]),
    stderr: Readable.from([said]),
    kill() {},
    ended: Promise.resolve(end),
  };
}

/** As a shell would say it. */
function codeOf({ exitCode, signal, startError }: CommandEnd): number {
  if (startError !== null) return REFUSED_CODE;
  if (exitCode !== null) return exitCode;
  return 128 + (signal === null ? 0 : (constants.signals[signal as NodeJS.Signals] ?? 0));
}
