/** What follows a result may come with its answer: one request less between two tiers. */
import { afterEach, describe, expect, it } from 'vitest';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;

afterEach(() => host.close());

/** Runs an attempt and the one that follows it. */
async function runBoth(options?: {
  isRungFirst: boolean;
}): Promise<{ first: AttemptSpec; second: AttemptSpec }> {
  const { plane } = host;
  const [first, second] = [attemptSpec(), attemptSpec()];
  plane.follow(first.attemptId, second, options);
  plane.queue(first);
  await plane.until(() => plane.attempt(second.attemptId).results.length > 0, 'both results');
  return { first, second };
}

const withSlots = (slots: number) => ({
  agent: 'init(); result();',
  env: { TIERWATCH_RUNNER_CONCURRENCY: String(slots) },
});

describe('what follows a result', () => {
  it('starts from the answer to it, without a claim of its own', async () => {
    host = await startRunnerHost(withSlots(3));
    const { first } = await runBoth();
    expect(host.plane.claims).toEqual([first.attemptId]);
  });

  it('is not claimed a second time when its job overtakes the answer', async () => {
    host = await startRunnerHost(withSlots(3));
    const { first } = await runBoth({ isRungFirst: true });
    expect(host.plane.claims).toEqual([first.attemptId]);
  });

  it('[SAS-3.1] is not asked for with a result when no slot is left to keep', async () => {
    host = await startRunnerHost(withSlots(1));
    const { first, second } = await runBoth();
    expect(host.plane.claims).toEqual([first.attemptId, second.attemptId]);
  });

  it('[SAS-3.2] is started once, also when a claim is answered long after', async () => {
    host = await startRunnerHost(withSlots(3));
    const { second } = await runBoth();
    host.plane.ringAgain(second.attemptId);
    await host.plane.until(() => host.plane.claims.includes(second.attemptId), 'the late claim');
    await host.run();
    expect(host.plane.attempt(second.attemptId)).toMatchObject({ repeats: 0, conflicts: [] });
    expect(host.plane.attempt(second.attemptId).results).toHaveLength(1);
  });
});
