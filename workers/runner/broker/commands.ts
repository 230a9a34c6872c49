/**
 * The commands of one confined attempt: decides which may run outside its sandbox, records them, and
 * runs them.
 *
 * In order, for each: the lease and the rule for its argv; if it may change something, needs approval or may
 * be what a person has refused, what the control
 * plane says (fence, stop, cooldowns) and the intent on disk; then the command itself.
 */

import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type CommandRules, decideCommand } from '@/lib/commands/decide';
import { isTextTool } from '@/lib/commands/inside';
import type { KnownValues } from '@/lib/commands/match';
import { mayBeSameCommand } from '@/lib/commands/same';
import { logger } from '@/lib/platform/logger';
import { within } from '@/lib/platform/within';
import type { Cgroup } from '../process/cgroup';
import { INSIDE } from '../sandbox/inside';
import {
  createCommandJournal,
  type JournalledCommand,
  type JournalOptions,
} from './command-journal';
import { type CommandEnd, type CommandRun, runCommand } from './command-run';
import { CopyError } from './file-copies';
import {
  type AskedPermission,
  askPermission,
  NEEDS_APPROVAL,
  type PermissionOptions,
} from './permission';
import {
  type AllowedCommand,
  type Obstacle,
  type PrepareOptions,
  prepareCommand,
} from './prepared-command';
import { REFUSED_CODE } from './shims';
import { realPathOutside } from './work-paths';

export interface CommandOptions extends JournalOptions, PrepareOptions {
  rules: CommandRules;
  known: KnownValues;
  /** What people have refused: whether a command is one of these, the control plane knows. */
  refused: readonly (readonly string[])[];
  /** A folder of the broker's own, empty. */
  dir: string;
  /** Whether the attempt is still this runner's. */
  isLeaseValid(): boolean;
  authorize: PermissionOptions['authorize'];
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
const CLOSE_MS = 10_000;

/** Why a command doesn't run. */
interface Refusal extends Obstacle {
  rule: string | null;
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
    /** What is removed once the command has ended. */
    const folders = [folder];
    const command = { number: own, argv, rule: decision.rule, changes: decision.changes };
    let run: CommandRun | null = null;
    try {
      const started = await begin(command, cwd, gone, decision, folders);
      if ('code' in started) return refused(own, argv, { ...started, rule: decision.rule });
      run = started;
      const exitCode = run.ended.then((end) => {
        journal.ended(command, end);
        void removeFolders(folders);
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
        void removeFolders(folders);
      }
    }
  }

  /**
   * Starts a command that a rule allows. If it may change something, everything that can prevent it is
   * looked at after the moment from which it counts as intended.
   */
  async function begin(
    command: JournalledCommand,
    cwd: string,
    gone: AbortSignal,
    decision: AllowedCommand,
    folders: string[],
  ): Promise<CommandRun | Obstacle> {
    const { number: own, argv, changes } = command;
    try {
      const [folder = options.dir] = folders;
      const prepared = await prepareCommand(options, decision, cwd, folder);
      if ('code' in prepared) return prepared;
      folders.push(prepared.cwd);
      const { approval, ...program } = prepared;
      const { needsApproval } = decision;
      const isRefused = options.refused.some((each) => mayBeSameCommand(each, argv));
      if (changes || needsApproval || isRefused) {
        const asked = { number: own, argv, gone, closed: closing.signal };
        const first = needsApproval
          ? null
          : await askPermission(permission, { ...asked, approval: null });
        const held =
          needsApproval || first === NEEDS_APPROVAL ? await hold({ ...asked, approval }) : first;
        if (held) return held;
      }
      // The answer may have come after the attempt's result.
      if (isClosed) return OVER;
      if (changes) changing.add(own);
      await journal.started(command);
      // Either may have happened while the disk was written.
      if (changes && !options.isLeaseValid()) return LEASE_LOST;
      if (isClosed) return OVER;
      return runCommand({ ...program, redactor: options.redactor, cgroup: cgroupOf(own) });
    } catch (error) {
      if (error instanceof CopyError) return { code: 'file_not_passed', message: error.message };
      logger.error({ error: String(error) }, 'brokered command not started');
      return NOT_RECORDED;
    }
  }

  /** Asks a person. The command waits until then. */
  function hold(asked: AskedPermission): ReturnType<typeof askPermission> {
    holding += 1;
    return askPermission(permission, asked).finally(() => {
      holding -= 1;
    });
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
    const kill = () => {
      for (const { run } of running.keys()) run.kill();
    };
    kill();
    await Promise.allSettled(starting);
    kill();
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
      // One that can't be ended, such as one that has become another user, must not hold the result up.
      await within(CLOSE_MS, endAll()).catch(() => {});
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

async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
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
