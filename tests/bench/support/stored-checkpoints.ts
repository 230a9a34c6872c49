import { recordEvents } from '@/lib/engine/record-events';
import type { CheckpointEvent } from '@/lib/protocol/events';
import { startOne } from '@/tests/integration/engine/support/running';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';

const EVENT: CheckpointEvent = {
  kind: 'checkpoint',
  trigger: 'periodic',
  digest: `## Session checkpoint\n${'- Bash: docker logs web --since 10m\n'.repeat(30)}`,
  counts: { prompts: 1, toolCalls: 10, toolResults: 10, elapsedMs: 60_000 },
  queries: ['refused'],
  remembered: ['The primary is db-2.'],
  projectPath: '/srv/checkout',
  projectPathNormalized: '/srv/checkout',
  hookSessionId: null,
};

/** Stores so many as a running session brings them, each in a request of its own. @returns milliseconds */
export async function storeMany(count: number): Promise<number> {
  const cast = await makeCast();
  await startOne(cast);
  const { attemptId, fence } = await claimNext(cast.runner);
  const begun = performance.now();
  for (let seq = 1; seq <= count; seq += 1) {
    const events = [{ seq, at: new Date().toISOString(), event: EVENT }];
    await recordEvents(cast.runner, [{ attemptId, fence, events }]);
  }
  return performance.now() - begun;
}
