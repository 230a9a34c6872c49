/** CLAUDEOPS_RESUME_CONTEXT_THRESHOLD overrides the threshold of every project. */
import { expect, it } from 'vitest';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

// Before anything reads the environment, which is parsed once.
process.env.CLAUDEOPS_RESUME_CONTEXT_THRESHOLD = '0.5';
useTestDatabase();

it.each([
  { used: 90_000, mode: 'resume', reason: 'OK_RESUME' },
  { used: 120_000, mode: 'handoff', reason: 'CONTEXT_PRESSURE' },
])('[RES-8.3] [ENG-2.1] $used of 200,000 tokens: $mode', async ({ used, mode, reason }) => {
  const cast = await makeCast({ contextThreshold: 0.8 });
  const chainId = await startOne(cast);
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, { report: wantsHelp(), contextTokens: used });
  const second = await claimNext(cast.runner);
  expect(second.start.continuation.mode).toBe(mode);
  const { decisions } = await readChain(cast.alice, chainId);
  const decision = decisions.find(({ sessionId }) => sessionId === second.sessionId);
  expect(decision).toMatchObject({
    reason,
    facts: { context: { threshold: 0.5, thresholdSource: 'installation' } },
  });
});
