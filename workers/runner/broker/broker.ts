/**
 * The command broker of one attempt: runs outside the sandbox what the tier's rules allow, and
 * nothing else. The sandbox's programs reach it by their shims, and whatever else runs there may
 * speak to it directly: it gets no more by that.
 *
 * In order, for every command: the lease and the rule for its argv; if it may change something, what
 * the control plane says (fence, stop, cooldowns) and the intent on disk; then the command itself.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type CommandRules, decideCommand } from '@/lib/commands/decide';
import type { KnownValues } from '@/lib/commands/values';
import { logger } from '@/lib/platform/logger';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import type { AuthorizeCommandResponse } from '@/lib/protocol/commands';
import type { BrokeredEvent } from '@/lib/protocol/events';
import { resolveProgram } from '../attempt/probe-agent';
import { INSIDE } from '../sandbox/inside';
import { type CommandEnd, type CommandRun, runCommand } from './command-run';
import { CopyError, withCopies } from './file-copies';
import { type BrokerRequest, createRequestReader } from './request';
import { REFUSED_CODE } from './shims';

export interface BrokerOptions {
  rules: CommandRules;
  known: KnownValues;
  /** The project's work folder on the host, without symbolic links. */
  workDir: string;
  /** A folder of the broker's own, empty. */
  dir: string;
  /** Of the commands, complete. PATH is where their programs are looked for. */
  env: Record<string, string>;
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>;
  /** Whether the attempt is still this runner's. */
  isLeaseValid(): boolean;
  /** Whether a command that may change something may run now. @throws Error if nobody answers */
  authorize(number: number, argv: readonly string[]): Promise<AuthorizeCommandResponse>;
  /** Puts an event into the attempt's stream. */
  add(event: BrokeredEvent): void;
  /** Resolves once everything that was added is on disk. @throws Error if it can't be written */
  sync(): Promise<void>;
  onStarted(pid: number): void;
}

export interface Broker {
  /** Answers on a port of the sandbox. */
  serve(server: Server): void;
  /** Ends all commands, and resolves when they have ended. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 600;
const MAX_RUNNING = 64;
/** For a request to be complete, and for the other connections of a command to follow the first. */
const REQUEST_MS = 30_000;
const NOT_FOUND_CODE = 127;

interface Attached {
  run: CommandRun;
  exitCode: Promise<number>;
  /** Somebody waits for its exit code; without, the command is ended. */
  isAwaited: boolean;
}

/** Why a command doesn't run. */
interface Refusal {
  code: string;
  message: string;
  rule: string | null;
  exitCode?: number;
}

export function createBroker(options: BrokerOptions): Broker {
  const running = new Map<string, Attached>();
  let active = 0;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let number = 0;
  let isClosed = false;

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

  async function start(cwd: string, argv: string[]): Promise<Attached> {
    number += 1;
    const own = number;
    const decision = decide(cwd, argv);
    if ('refusal' in decision) return refused(own, argv, decision.refusal);
    const folder = path.join(options.dir, String(own));
    const about = { kind: 'brokered', number: own, argv, rule: decision.rule } as const;
    const { changes } = decision;
    try {
      mkdirSync(path.join(folder, 'empty'), { recursive: true, mode: 0o700 });
      const [program = '', ...args] = withCopies(decision.argv, options.workDir, folder);
      const file = resolveProgram(program, options.env.PATH ?? '');
      if (!path.isAbsolute(file)) {
        const message = `${program} isn’t installed on the runner’s host.`;
        const refusal = { code: 'not_installed', message, rule: decision.rule };
        return refused(own, argv, { ...refusal, exitCode: NOT_FOUND_CODE });
      }
      const held = changes ? await heldBack(own, argv, decision.rule) : null;
      if (held) return refused(own, argv, held);
      options.add({ ...about, phase: 'started', refusal: null, changes, end: null });
      if (changes) await options.sync();
      // It may have been lost while the disk was written.
      if (changes && !options.isLeaseValid()) return refused(own, argv, leaseLost(decision.rule));
      if (isClosed) return refused(own, argv, OVER);
      const run = runCommand({
        file,
        args,
        env: options.env,
        cwd: path.join(folder, 'empty'),
        redactor: options.redactor,
        onStarted: options.onStarted,
      });
      active += 1;
      const exitCode = run.ended.then((end) => {
        active -= 1;
        rmSync(folder, { recursive: true, force: true });
        options.add({ ...about, phase: 'ended', refusal: null, changes, end: endOf(end) });
        return codeOf(end);
      });
      return { run, exitCode, isAwaited: false };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if (error instanceof CopyError) {
        const refusal = { code: 'file_not_passed', message: error.message, rule: decision.rule };
        return refused(own, argv, refusal);
      }
      logger.error({ error: String(error) }, 'brokered command not started');
      const message = 'The runner couldn’t record this command, so it doesn’t run it.';
      return refused(own, argv, { code: 'not_recorded', message, rule: decision.rule });
    }
  }

  function decide(cwd: string, argv: string[]) {
    if (!options.isLeaseValid()) return { refusal: leaseLost(null) };
    if (active >= MAX_RUNNING) {
      const message = `${MAX_RUNNING} commands of this agent are running already.`;
      return { refusal: { code: 'too_many', message, rule: null } };
    }
    const place = { cwd, workDir: INSIDE.workDir, realPath };
    const decided = decideCommand(options.rules, argv, { known: options.known, place });
    if (decided.verdict === 'allowed') return decided;
    const { code, message, rule } = decided;
    return { refusal: { code, message, rule } };
  }

  /** What the control plane has against it; null if it may run. */
  async function heldBack(own: number, argv: string[], rule: string): Promise<Refusal | null> {
    try {
      const answer = await options.authorize(own, argv);
      return answer.verdict === 'refused' ? { ...answer, rule } : null;
    } catch (error) {
      logger.warn({ error: String(error) }, 'command not authorized');
      const message =
        'The control plane couldn’t be asked whether this command may run now, so it doesn’t run.';
      return { code: 'not_authorized', message, rule };
    }
  }

  function refused(own: number, argv: string[], refusal: Refusal): Attached {
    const { code, message, rule, exitCode = REFUSED_CODE } = refusal;
    options.add({
      kind: 'brokered',
      phase: 'refused',
      number: own,
      argv,
      rule,
      refusal: { code, message },
      changes: false,
      end: null,
    });
    return {
      run: refusedRun(`tierwatch: not run: ${message}\n`),
      exitCode: Promise.resolve(exitCode),
      isAwaited: false,
    };
  }

  async function answer(request: BrokerRequest, socket: Socket): Promise<void> {
    if (request.kind !== 'run') return attach(request, socket);
    const id = randomUUID();
    const attached = await start(request.cwd, request.argv);
    running.set(id, attached);
    void attached.exitCode.then(() => forgetLater(id));
    setTimeout(() => {
      if (!attached.isAwaited) attached.run.kill();
    }, REQUEST_MS).unref();
    socket.write(`${id}\n`);
    // Destroyed, not only ended: the program has to find its pipe closed.
    socket.once('close', () => attached.run.stdout.destroy());
    attached.run.stdout.pipe(socket);
  }

  function attach({ kind, id }: { kind: 'errors' | 'end'; id: string }, socket: Socket): void {
    const attached = running.get(id);
    if (!attached) {
      socket.destroy();
      return;
    }
    if (kind === 'errors') {
      socket.once('close', () => attached.run.stderr.destroy());
      attached.run.stderr.pipe(socket);
      return;
    }
    attached.isAwaited = true;
    // The shim has ended, so what it stands for ends as well.
    socket.once('close', () => attached.run.kill());
    void attached.exitCode.then((code) => socket.end(`${code}\n`));
  }

  /** Its other connections may still be on their way. */
  function forgetLater(id: string): void {
    setTimeout(() => running.delete(id), REQUEST_MS).unref();
  }

  function listen(socket: Socket): void {
    sockets.add(socket);
    const reader = createRequestReader();
    const limit = setTimeout(() => socket.destroy(), REQUEST_MS);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(limit);
      sockets.delete(socket);
    });
    socket.on('data', function read(chunk: Buffer) {
      try {
        const request = reader.push(chunk);
        if (request === null) return;
        clearTimeout(limit);
        socket.off('data', read);
        socket.resume();
        answer(request, socket).catch((error) => {
          logger.error({ error: String(error) }, 'brokered command failed');
          socket.destroy();
        });
      } catch {
        socket.destroy();
      }
    });
  }

  return {
    serve(server) {
      servers.push(server);
      server.maxConnections = MAX_CONNECTIONS;
      server.on('connection', listen);
      server.on('error', (error) => logger.warn({ error: String(error) }, 'broker port failed'));
    },
    async close() {
      isClosed = true;
      for (const server of servers) server.close();
      for (const { run } of running.values()) run.kill();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...running.values()].map(({ exitCode }) => exitCode));
      running.clear();
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

const OVER: Refusal = { code: 'ended', message: 'This attempt has ended.', rule: null };

function leaseLost(rule: string | null): Refusal {
  const message =
    'The runner has lost contact with the control plane, so this attempt may not run commands.';
  return { code: 'lease_lost', message, rule };
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
  const { exitCode, signal, durationMs, output, outputBytes } = end;
  return { exitCode, signal, durationMs, output, outputBytes };
}

/** As a shell would say it. */
function codeOf({ exitCode, signal, startError }: CommandEnd): number {
  if (startError !== null) return REFUSED_CODE;
  if (exitCode !== null) return exitCode;
  return 128 + (signal === null ? 0 : (constants.signals[signal as NodeJS.Signals] ?? 0));
}
