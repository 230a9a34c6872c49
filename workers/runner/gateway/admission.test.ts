import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import {
  type AdmissionOptions,
  type AdmissionResult,
  type Admitted,
  createAdmission,
} from './admission';

/** $0.05 of input and $0.64 of output. */
const OPUS = {
  ...{ model: 'claude-opus-5-5', inputTokens: 10_000, maxTokens: 32_000, hasServerTool: false },
};
const WAIT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(changes: Partial<AdmissionOptions> = {}) {
  const admission = createAdmission({
    ...{ prices: CLAUDE_PRICES, budgetUsd: 1, maxAtOnce: 3, waitMs: WAIT_MS },
    ...changes,
  });
  const counted = vi.fn(async (): Promise<number | null> => null);
  const results: (AdmissionResult | null)[] = [];
  const clients: AbortController[] = [];
  const kinds = async () => {
    await vi.advanceTimersByTimeAsync(0);
    return results.map((result) => result?.kind ?? 'waits');
  };
  return {
    admission,
    counted,
    clients,
    /** Sends requests, and says how each was decided until now. */
    async send(...requests: Partial<typeof OPUS>[]) {
      for (const request of requests) {
        const at = results.push(null) - 1;
        const client = new AbortController();
        clients.push(client);
        void admission.admit({ ...OPUS, ...request }, counted, client.signal).then((result) => {
          results[at] = result;
        });
      }
      return kinds();
    },
    kinds,
    admitted(at: number): Admitted {
      const result = results[at];
      if (result?.kind !== 'admitted') throw new Error(`${at} isn’t admitted`);
      return result.admitted;
    },
  };
}

describe('[HLD-2.1] requests', () => {
  it('reserve before they are forwarded, and the next one waits for what is left', async () => {
    const { send, kinds, admitted } = open();
    expect(await send({}, {})).toEqual(['admitted', 'waits']);
    admitted(0).spentUsd = 0.1;
    admitted(0).release();
    expect(await kinds()).toEqual(['admitted', 'admitted']);
  });

  it('keep what they have reserved until they are over, and count with more if they cost more', async () => {
    const { send, kinds, admitted, admission } = open({ budgetUsd: 1.5 });
    await send({}, {}, {});
    expect(await kinds()).toEqual(['admitted', 'admitted', 'waits']);
    admitted(0).spentUsd = 0.9;
    expect(admission.spentUsd()).toBe(0.9);
    admitted(1).release();
    // 1.5 - 0.9 doesn't pay for a long answer while the first is on its way.
    expect(await kinds()).toEqual(['admitted', 'admitted', 'waits']);
    admitted(0).release();
    admitted(0).release();
    expect(await kinds()).toEqual(['admitted', 'admitted', 'admitted']);
    expect(admission.spentUsd()).toBe(0.9);
    expect(admitted(2).maxTokens).toBeLessThan(28_000);
  });

  it('go in the order in which they came: a small one doesn’t overtake', async () => {
    const { send, kinds, admitted } = open();
    expect(await send({}, {}, { maxTokens: 10 })).toEqual(['admitted', 'waits', 'waits']);
    admitted(0).release();
    expect(await kinds()).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it('are few at once, also without a budget', async () => {
    const { send, kinds, admitted } = open({ budgetUsd: null });
    expect(await send({}, {}, {}, {})).toEqual(['admitted', 'admitted', 'admitted', 'waits']);
    expect(admitted(0).maxTokens).toBe(32_000);
    admitted(1).release();
    expect((await kinds())[3]).toBe('admitted');
  });

  it('wait for a bounded time', async () => {
    const { send, kinds } = open();
    await send({}, {}, {});
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(await kinds()).toEqual(['admitted', 'waits', 'waits']);
    await vi.advanceTimersByTimeAsync(2);
    // The third has waited as long.
    expect(await kinds()).toEqual(['admitted', 'busy', 'busy']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('whose client has gone leave their place', async () => {
    const { send, kinds, clients, admitted } = open();
    await send({}, {}, { maxTokens: 10 });
    clients[1]?.abort();
    expect(await kinds()).toEqual(['admitted', 'gone', 'admitted']);
    clients[0]?.abort();
    expect(await send({})).toEqual(['admitted', 'gone', 'admitted', 'waits']);
    admitted(0).release();
    admitted(2).release();
    expect((await kinds())[3]).toBe('admitted');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('[HLD-2.1] the provider counts tokens', () => {
  it('only where the estimate is too much, and once', async () => {
    const { send, counted, admitted } = open();
    await send({});
    expect(counted).not.toHaveBeenCalled();
    admitted(0).spentUsd = 0.6;
    admitted(0).release();
    counted.mockResolvedValue(1_000);
    // 10,000 tokens leave 17,500 for the answer, 1,000 leave 19,750.
    await send({});
    expect(counted).toHaveBeenCalledTimes(1);
    expect(admitted(1).maxTokens).toBeGreaterThan(19_700);
  });

  it('for one that the estimate would refuse, which is refused if it doesn’t say', async () => {
    const { send, counted } = open();
    const long = { inputTokens: 400_000 };
    expect(await send(long)).toEqual(['unaffordable']);
    counted.mockResolvedValue(100_000);
    expect(await send(long)).toEqual(['unaffordable', 'admitted']);
    expect(counted).toHaveBeenCalledTimes(2);
  });

  it('never without a budget', async () => {
    const { send, counted } = open({ budgetUsd: null, maxAtOnce: 1 });
    await send({ inputTokens: 1_000_000 }, {});
    expect(counted).not.toHaveBeenCalled();
  });
});

it('[HLD-2.1] whatever is sent, reservations and costs never exceed the budget together', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 50; round += 1) {
    const budgetUsd = random(300) / 100;
    const { send, kinds, admitted, admission } = open({ budgetUsd, maxAtOnce: 4 });
    const running = new Map<number, number>();
    for (let step = 0; step < 40; step += 1) {
      const inputTokens = random(50_000);
      const states = await send({ inputTokens, maxTokens: 1 + random(128_000) });
      states.forEach((state, at) => {
        if (state === 'admitted' && !running.has(at)) running.set(at, inputTokens);
      });
      const over = [...running.keys()].at(random(4));
      if (over === undefined) continue;
      // The whole input and the longest answer, at most what was reserved.
      const { maxTokens } = admitted(over);
      admitted(over).spentUsd = (random(10) / 9) * (maxTokens * 20e-6);
      admitted(over).release();
      expect(admission.spentUsd()).toBeLessThanOrEqual(budgetUsd + 1e-9);
      await kinds();
    }
  }
});
