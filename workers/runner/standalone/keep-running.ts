/**
 * Runs the runner in a process below this one and updates it between two of them. This process stays
 * the same through an update, for a service manager as for a terminal.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { logger } from '@/lib/platform/logger';
import { messageSchema } from './messages';
import { commitProgram, discardProgram, type ProgramFile, writeFailure } from './program-file';

/** How long a runner that is told to stop may take, beyond what it grants its attempts. */
const STOP_MS = 20_000;
const RUN = 'run';

interface KeepRunningOptions {
  program: ProgramFile;
  /** Of the processes below. */
  environment: NodeJS.ProcessEnv;
  /** How long an updated runner may take until it is online, in milliseconds. */
  onlineWithinMs: number;
}

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** Resolves with an exit code once the runner has ended and isn't to be started again. */
export async function keepRunning(options: KeepRunningOptions): Promise<number> {
  const { program, environment, onlineWithinMs } = options;
  let child: ChildProcess | null = null;
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true;
      child?.kill(signal);
    });
  }

  function start(file: string) {
    const started = spawn(process.execPath, [file, RUN, program.current], {
      env: environment,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    let update: string | null = null;
    let isOnline = () => {};
    const online = new Promise<'online'>((resolve) => {
      isOnline = () => resolve('online');
    });
    started.on('message', (said) => {
      const message = messageSchema.safeParse(said).data;
      if (message?.kind === 'online') isOnline();
      if (message?.kind === 'update') update = message.sha256;
    });
    const ended = new Promise<Exit>((resolve) => {
      started.once('error', () => resolve({ code: 1, signal: null }));
      started.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { started, online, ended, update: () => update };
  }

  /** Returns the updated runner once it is online; null after it was taken back. */
  async function tryNext(sha256: string) {
    const tried = start(program.next);
    const outcome = await Promise.race([tried.online, tried.ended, timeout(onlineWithinMs)]);
    if (outcome === 'online') {
      commitProgram(program);
      logger.info({ sha256 }, 'runner updated');
      return tried;
    }
    if (outcome === 'timeout') await end(tried);
    const reason = isStopping
      ? 'The runner was stopped before its new version was online.'
      : outcome === 'timeout'
        ? `The new version was not online within ${onlineWithinMs / 1_000} s.`
        : `The new version exited before it was online (${exitText(outcome)}).`;
    writeFailure(program, { sha256, reason });
    discardProgram(program);
    logger.error({ sha256, reason }, 'runner update taken back');
    return null;
  }

  if (discardProgram(program)) {
    const reason = 'The update was interrupted before the new version was online.';
    writeFailure(program, { sha256: '', reason });
  }
  let running = start(program.current);
  for (;;) {
    const exit = await running.ended;
    const sha256 = running.update();
    if (isStopping || sha256 === null) {
      if (isStopping) discardProgram(program);
      return exit.code ?? 1;
    }
    const updated = await tryNext(sha256);
    if (updated) running = updated;
    else if (isStopping) return 0;
    else running = start(program.current);
  }
}

async function end({ started, ended }: { started: ChildProcess; ended: Promise<Exit> }) {
  started.kill('SIGTERM');
  const outcome = await Promise.race([ended, timeout(STOP_MS)]);
  if (outcome !== 'timeout') return;
  started.kill('SIGKILL');
  await ended;
}

function timeout(ms: number): Promise<'timeout'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('timeout'), ms).unref();
  });
}

function exitText({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : signal;
}
