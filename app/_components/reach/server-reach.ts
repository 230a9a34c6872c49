/** The wait before each further check; the last one repeats. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
const PROBE_TIMEOUT_MS = 5_000;

export type Reach =
  | { kind: 'up' }
  | {
      kind: 'down';
      /** When the server last answered, in milliseconds since the epoch. */
      lastAnswerAt: number;
      /** When a check first failed, in milliseconds since the epoch. */
      downAt: number;
      /** The status of the answer, such as a proxy's 502; null without one. */
      status: number | null;
      /** `ready`: Tierwatch answers, and can't load a page. */
      depth: ProbeDepth;
    };

export type ProbeResult = { isUp: true } | { isUp: false; status: number | null };

/** `alive`: the web process answers. `ready`: its database and queue do as well. */
export type ProbeDepth = 'alive' | 'ready';

/**
 * Knows whether the server answers this tab. Requests report what they see; only a failed check
 * marks the server as down, and from then on it's checked until it answers.
 */
export class ServerReach {
  private state: Reach = { kind: 'up' };
  private lastAnswerAt = Date.now();
  private checking: Promise<boolean> | null = null;
  private failures = 0;
  private depth: ProbeDepth = 'alive';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly probe: (depth: ProbeDepth) => Promise<ProbeResult>) {}

  readonly getState = (): Reach => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get isUp(): boolean {
    return this.state.kind === 'up';
  }

  /** Records an answer that only Tierwatch itself can have given, with nothing in it that failed. */
  noteAnswer(): void {
    clearTimeout(this.timer);
    this.depth = 'alive';
    this.lastAnswerAt = Date.now();
    this.failures = 0;
    if (!this.isUp) this.set({ kind: 'up' });
  }

  /** Asks the server now. Callers at the same time share one request. */
  check(): Promise<boolean> {
    this.checking ??= this.runCheck().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  /** The server answered, and couldn't load a page: it counts as up once it's ready again. */
  async checkReady(): Promise<boolean> {
    await this.checking;
    this.depth = 'ready';
    return this.check();
  }

  /** Resolves once the server is up. */
  async untilUp(): Promise<void> {
    if (this.isUp) return;
    await new Promise<void>((resolve) => {
      const unsubscribe = this.subscribe(() => {
        if (!this.isUp) return;
        unsubscribe();
        resolve();
      });
    });
  }

  private async runCheck(): Promise<boolean> {
    clearTimeout(this.timer);
    const { depth } = this;
    const result = await this.probe(depth);
    if (result.isUp) {
      this.noteAnswer();
      return true;
    }
    const { status } = result;
    const { lastAnswerAt } = this;
    const downAt = this.state.kind === 'down' ? this.state.downAt : Date.now();
    const waitMs = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => void this.check(), waitMs);
    this.set({ kind: 'down', lastAnswerAt, downAt, status, depth });
    return false;
  }

  private set(state: Reach): void {
    this.state = state;
    for (const listener of [...this.listeners]) listener();
  }
}

const PROBES: Record<ProbeDepth, { path: string; status: string }> = {
  alive: { path: '/healthz', status: 'ok' },
  ready: { path: '/readyz', status: 'ready' },
};

/** Asks through the same proxies as every page. A captive portal or a proxy's error page is no answer. */
export async function probeHealth(depth: ProbeDepth): Promise<ProbeResult> {
  const { path, status } = PROBES[depth];
  try {
    const response = await fetch(path, {
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    const isOurs =
      typeof body === 'object' && body !== null && 'status' in body && body.status === status;
    // A proxy that blocks health checks responds 4xx. One whose server is gone responds 5xx.
    const isBlocked = response.status >= 400 && response.status < 500;
    if ((response.ok && isOurs) || isBlocked) return { isUp: true };
    return { isUp: false, status: response.status };
  } catch {
    return { isUp: false, status: null };
  }
}

export const serverReach = new ServerReach(probeHealth);
