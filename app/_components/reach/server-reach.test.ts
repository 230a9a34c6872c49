import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ProbeDepth, type ProbeResult, probeHealth, ServerReach } from './server-reach';

const START = Date.parse('2026-11-21T14:00:00.000Z');
const NO_ANSWER: ProbeResult = { isUp: false, status: null };

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});

afterEach(() => {
  vi.useRealTimers();
});

function reachWith(answer: ProbeResult) {
  const probe = vi.fn<(depth: ProbeDepth) => Promise<ProbeResult>>(async () => answer);
  return { probe, reach: new ServerReach(probe) };
}

describe('ServerReach', () => {
  it('stays up when only a request failed and the server answers the check', async () => {
    const { reach } = reachWith({ isUp: true });
    const listener = vi.fn();
    reach.subscribe(listener);
    expect(await reach.check()).toBe(true);
    expect(reach.getState()).toEqual({ kind: 'up' });
    expect(listener).not.toHaveBeenCalled();
  });

  it('is down since the first failed check, with the time of the last answer', async () => {
    const { reach } = reachWith({ isUp: false, status: 502 });
    await vi.advanceTimersByTimeAsync(4_000);
    reach.noteAnswer();
    await vi.advanceTimersByTimeAsync(3_000);
    await reach.check();
    const down = {
      kind: 'down',
      lastAnswerAt: START + 4_000,
      downAt: START + 7_000,
      status: 502,
      depth: 'alive',
    };
    expect(reach.getState()).toEqual(down);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reach.getState()).toEqual(down);
  });

  it('checks after 1, 2, 5 and then every 10 s until the server answers', async () => {
    const { probe, reach } = reachWith(NO_ANSWER);
    const at: number[] = [];
    probe.mockImplementation(async () => {
      at.push((Date.now() - START) / 1_000);
      return NO_ANSWER;
    });
    await reach.check();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(at).toEqual([0, 1, 3, 8, 18, 28]);

    probe.mockImplementation(async () => ({ isUp: true }));
    const isBack = vi.fn();
    void reach.untilUp().then(isBack);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(isBack).toHaveBeenCalledOnce();
    const checks = probe.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(probe).toHaveBeenCalledTimes(checks);
  });

  it('asks once for callers at the same time', async () => {
    const { probe, reach } = reachWith({ isUp: true });
    await Promise.all([reach.check(), reach.check(), reach.check()]);
    expect(probe).toHaveBeenCalledOnce();
  });

  it('is up again at any answer of the server, and stops checking', async () => {
    const { probe, reach } = reachWith(NO_ANSWER);
    await reach.check();
    reach.noteAnswer();
    expect(reach.isUp).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(probe).toHaveBeenCalledOnce();
  });

  it('that could not load a page is up once it is ready', async () => {
    const { probe, reach } = reachWith({ isUp: false, status: 503 });
    expect(await reach.checkReady()).toBe(false);
    expect(probe).toHaveBeenLastCalledWith('ready');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(probe).toHaveBeenLastCalledWith('ready');
    probe.mockImplementation(async () => ({ isUp: true }));
    expect(await reach.check()).toBe(true);
    await reach.check();
    expect(probe).toHaveBeenLastCalledWith('alive');
  });
});

describe('probeHealth', () => {
  const html = { 'content-type': 'text/html' };

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each<[string, () => Response, ProbeResult]>([
    ['Tierwatch', () => Response.json({ status: 'ok' }), { isUp: true }],
    [
      'a proxy without a server',
      () => new Response('', { status: 502 }),
      { isUp: false, status: 502 },
    ],
    [
      'a login page',
      () => new Response('<html></html>', { headers: html }),
      { isUp: false, status: 200 },
    ],
    [
      'a proxy that keeps health to itself',
      () => new Response('', { status: 403 }),
      { isUp: true },
    ],
  ])('%s', async (_what, answer, result) => {
    vi.stubGlobal('fetch', async () => answer());
    expect(await probeHealth('alive')).toEqual(result);
  });

  it('has no status when the request fails', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(await probeHealth('alive')).toEqual(NO_ANSWER);
  });
});
