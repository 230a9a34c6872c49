/**
 * The commands of one confined attempt: decides which may run outside its sandbox, records them, and
 * runs them.
 *
 * In order, for each: the lease and the rule for its argv; if it may change something, what the control
 * plane says (fence, stop, cooldowns) and the intent on disk; then the command itself.
 */
import { realpathSync } from 'node:fs';
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
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { findProgram } from '../process/find-program';
import { INSIDE } from '../sandbox/inside';
import { commandDigest } from './command-digest';
import { type CommandEnd, type CommandRun, runCommand } from './command-run';
import { CopyError, withCopies } from './file-copies';
import { askPermission, type PermissionOptions } from './permission';
import { REFUSED_CODE } from './shims';

export interface CommandOptions {
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
  /** Puts an event into the attempt's stream. */
  add(event: BrokeredEvent): void;
  /** Resolves once everything that was added is on disk. @throws Error if it can't be written */
  sync(): Promise<void>;
  onStarted(pid: number): void;
  /** More commands were refused within a minute than are listed. */
  onManyRefused(): void;
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
const MAX_LISTED_REFUSALS = 300;
const MAX_REASON = 4_000;

type AllowedCommand = Extract<CommandDecision, { verdict: 'allowed' }>;

interface Asked {
  number: number;
  cwd: string;
  argv: string[];
  gone: AbortSignal;
}

/** Why a command doesn't run. */
interface Refusal {
  code: string;
  message: string;
  rule: string | null;
  exitCode?: number;
}

export function createCommands(options: CommandOptions): Commands {
  const running = new Set<AskedCommand>();
  const starting = new Set<Promise<unknown>>();
  /** The control plane counts them as running or waiting, until an event says what became of them. */
  const unfinished = new Set<number>();
  /** Of those, the ones that run and may change something. */
  const changing = new Set<number>();
  let refusals = { minute: 0, count: 0 };
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
      if (answer.verdict !== 'refused') unfinished.add(command.number);
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
  /** The attempt's result is being written, so no more events are added. */
  let isOver = false;

  /** In the sandbox the work folder has another path. Null if the path can't be resolved. */
  function realPath(file: string): string | null {
    const isInside = file === INSIDE.workDir || file.startsWith(`${INSIDE.workDir}/`);
    const outside = isInside ? options.workDir + file.slice(INSIDE.workDir.length) : file;
    try {
      return realpathSync(outside);
    } catch {
      return realPathOfNew(outside);
    }
  }

  async function start(cwd: string, argv: string[], gone: AbortSignal): Promise<AskedCommand> {
    number += 1;
    const own = number;
    const decision = decide(cwd, argv);
    if ('refusal' in decision) return refused(own, argv, decision.refusal);
    active += 1;
    const folder = path.join(options.dir, String(own));
    let run: CommandRun | null = null;
    try {
      const started = await begin({ number: own, cwd, argv, gone }, decision, folder);
      if ('code' in started) return refused(own, argv, { ...started, rule: decision.rule });
      run = started;
      const exitCode = run.ended.then((end) => {
        finish(own, argv, decision, end);
        void removeFolder(folder);
        active -= 1;
        changing.delete(own);
        return codeOf(end);
      });
      const asked = { run, exitCode };
      running.add(asked);
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
    { number: own, cwd, argv, gone }: Asked,
    decision: AllowedCommand,
    folder: string,
  ): Promise<CommandRun | Omit<Refusal, 'rule'>> {
    const { changes, rule } = decision;
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
      const intent = { ...eventOf(own, argv, rule, changes), phase: 'started' } as const;
      options.add(intent);
      unfinished.add(own);
      if (changes) await options.sync();
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
        onStarted: options.onStarted,
      });
    } catch (error) {
      if (error instanceof CopyError) return { code: 'file_not_passed', message: error.message };
      logger.error({ error: String(error) }, 'brokered command not started');
      return NOT_RECORDED;
    }
  }

  function finish(
    own: number,
    argv: string[],
    { rule, changes }: AllowedCommand,
    end: CommandEnd,
  ): void {
    if (isOver) return;
    unfinished.delete(own);
    options.add({ ...eventOf(own, argv, rule, changes), phase: 'ended', end: endOf(end) });
  }

  function decide(cwd: string, argv: string[]): AllowedCommand | { refusal: Refusal } {
    if (isClosed) return { refusal: { ...OVER, rule: null } };
    if (!options.isLeaseValid()) return { refusal: { ...LEASE_LOST, rule: null } };
    const [program = ''] = argv;
    if (isTextTool(program)) {
      const message = `${program} runs in the sandbox itself, and no rule lets it run outside.`;
      return { refusal: { code: 'not_brokered', message, rule: null } };
    }
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
    // Without it the command would read as one that may have run, and its approval as used.
    const mustList = unfinished.delete(own);
    if (!isOver && (mustList || mayListRefusal())) {
      const event = eventOf(own, argv, rule, false);
      options.add({ ...event, phase: 'refused', refusal: { code, message } });
    }
    return {
      run: refusedRun(`tierwatch: not run: ${message}\n`),
      exitCode: Promise.resolve(exitCode),
    };
  }

  /** A loop of refused commands must not fill the disk: beyond a number each minute none is listed. */
  function mayListRefusal(): boolean {
    const minute = Math.floor(performance.now() / 60_000);
    if (minute !== refusals.minute) refusals = { minute, count: 0 };
    refusals.count += 1;
    if (refusals.count === MAX_LISTED_REFUSALS + 1) options.onManyRefused();
    return refusals.count <= MAX_LISTED_REFUSALS;
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
    for (const { run } of running) run.kill();
    await Promise.all([...running].map(({ exitCode }) => exitCode));
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
      isOver = true;
    },
  };
}

/** The path of a file that doesn't exist yet, in a folder that does. */
function realPathOfNew(file: string): string | null {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return null;
  }
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

function eventOf(number: number, argv: string[], rule: string | null, changes: boolean) {
  return { kind: 'brokered', number, argv, rule, changes, refusal: null, end: null } as const;
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

function refusedRun(said: string): CommandRun {
  const end: CommandEnd = {
    exitCode: null,
    signal: null,
    startError: null,
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

function endOf(end: CommandEnd): BrokeredEvent['end'] {
  const { exitCode, signal, startError, durationMs, output, outputBytes } = end;
  return { exitCode, signal, error: startError, durationMs, output, outputBytes };
}

/** As a shell would say it. */
function codeOf({ exitCode, signal, startError }: CommandEnd): number {
  if (startError !== null) return REFUSED_CODE;
  if (exitCode !== null) return exitCode;
  return 128 + (signal === null ? 0 : (constants.signals[signal as NodeJS.Signals] ?? 0));
}
