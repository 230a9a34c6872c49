import { type APIRequestContext, expect } from '@playwright/test';
import { decodeId } from '@/lib/platform/ids';
import type { RunnerEvent } from '@/lib/protocol/events';
import { RUNNER_VERSION } from '@/lib/protocol/schema';

/** A long output may be 8 MB a request; text events are small. */
const BATCH = 250;
const HEARTBEAT_MS = 10_000;

const CAPABILITIES = {
  runnerVersion: RUNNER_VERSION,
  canAsk: true,
  canHoldCommands: true,
  hostname: 'test-host',
  platform: 'linux-x64',
  user: 'ops',
  isRoot: false,
  containment: 'marker',
  slots: 1,
  harnesses: [{ name: 'demo', version: 'demo-1', fingerprint: 'd', isUsable: true, problem: null }],
};

/** One attempt in the hands of a runner that does what a test says. */
export class ScriptedRunner {
  private seq = 0;
  private timer: NodeJS.Timeout | undefined;
  private lastBeat: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly request: APIRequestContext,
    private readonly key: string,
    private readonly attempt: { attemptId: string; fence: number },
  ) {}

  /** Enrols, and claims the attempt (`att_…`). */
  static async claim(
    request: APIRequestContext,
    enrolmentToken: string,
    attemptId: string,
  ): Promise<ScriptedRunner> {
    const enrolled = await request.post('/api/runner/v1/enrol', {
      data: { protocol: 1, token: enrolmentToken, name: 'scripted' },
    });
    expect(enrolled.status()).toBe(201);
    const { key } = await enrolled.json();
    const uuid = decodeId('att', attemptId) ?? '';
    const runner = new ScriptedRunner(request, key, { attemptId: uuid, fence: 1 });
    await runner.beat([]);
    const { fence } = await runner.post(`attempts/${uuid}/claim`, {});
    const claimed = new ScriptedRunner(request, key, { attemptId: uuid, fence });
    await claimed.beat([claimed.attempt]);
    claimed.timer = setInterval(() => {
      claimed.lastBeat = claimed.beat([claimed.attempt]);
    }, HEARTBEAT_MS);
    return claimed;
  }

  /** Sends events, in as many requests as they take. */
  async send(events: readonly RunnerEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH) {
      const batch = events.slice(from, from + BATCH).map((event) => {
        this.seq += 1;
        return { seq: this.seq, at: new Date().toISOString(), event };
      });
      await this.post('events', {
        protocol: 1,
        batches: [{ ...this.attempt, events: batch }],
      });
    }
  }

  /** Its last heartbeat ends before the test does, which takes the connection away. */
  async leave(): Promise<void> {
    clearInterval(this.timer);
    await this.lastBeat;
  }

  private beat(running: readonly object[]): Promise<unknown> {
    return this.post('heartbeat', { protocol: 1, posture: CAPABILITIES, running });
  }

  private async post(path: string, data: object) {
    const response = await this.request.post(`/api/runner/v1/${path}`, {
      headers: { authorization: `Bearer ${this.key}` },
      data,
    });
    const text = await response.text();
    expect(response.ok(), `${path}: ${text}`).toBe(true);
    return JSON.parse(text);
  }
}
