import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoAnswer, DemoServiceName, DemoStatus } from '@/lib/projects/demo-service/schema';

const START_TIMEOUT_MS = 10_000;

interface ServiceOptions {
  name: DemoServiceName;
  script: string;
  port: number;
  args: string[];
  pidFile: string;
  logFile: string;
}

/** One real process that serves on a port. Once it has ended it stays down until started again. */
export class ServiceProcess {
  #child: ChildProcess | null = null;
  #lastEnd = 'not started';

  constructor(private readonly options: ServiceOptions) {}

  status(): DemoStatus[number] {
    const { name } = this.options;
    const pid = this.#child?.pid ?? null;
    return { name, isUp: pid !== null, pid, detail: pid === null ? this.#lastEnd : 'running' };
  }

  /** Resolves once the port answers, or the process has ended before that. */
  async start(): Promise<DemoAnswer> {
    const { name, script, port, args, pidFile, logFile } = this.options;
    // stdin stays open: its end tells the service that this supervisor is gone.
    const child = spawn(process.execPath, [script, String(port), ...args], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child = child;
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000);
    });
    child.once('close', (code, signal) => {
      if (this.#child === child) this.#child = null;
      this.#lastEnd = endText(code, signal, errors);
      // At once: a restart writes its own pid file right after this.
      rmSync(pidFile, { force: true });
      appendFileSync(logFile, `${name}: ${this.#lastEnd}\n`);
    });
    writeFileSync(pidFile, `${child.pid}\n`);
    if (await this.#answers(child)) return { ok: true, message: `${name} is up on port ${port}.` };
    return { ok: false, message: `${name} did not start: ${this.#lastEnd}` };
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  async #answers(child: ChildProcess): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (this.#child === child && Date.now() < deadline) {
      if (await accepts(this.options.port)) return this.#child === child;
      await delay(20);
    }
    if (this.#child === child) await this.stop('SIGKILL');
    return false;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function endText(code: number | null, signal: string | null, errors: string): string {
  const end = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
  const lastLine = errors.trim().split('\n').at(-1);
  return lastLine ? `${end}: ${lastLine}` : end;
}
