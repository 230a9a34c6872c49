/** A chain that was asked to start fresh takes nothing over from what ran before it. */

import { beforeEach, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { checkpoint, tellCapabilities, workDirOf } from '../checkpoints/support/checkpoint';
import { startOne } from './support/running';

useTestDatabase();
const NOTES = 'web refused connections since 13:02.';
let cast: Cast;

beforeEach(async () => {
  cast = await makeCast();
  await tellCapabilities(cast.runner);
  await startOne(cast);
  const events = [checkpoint(NOTES, workDirOf(cast))];
  await play(cast.runner, await claimNext(cast.runner), { events });
});

async function start(forceFresh: boolean) {
  const { projectId } = cast;
  const { chainId } = await startChain(cast.alice, { projectId, trigger: 'manual', forceFresh });
  const first = await claimNext(cast.runner);
  const events = [checkpoint('web still refuses.', workDirOf(cast))];
  await play(cast.runner, first, { report: wantsHelp(), events });
  const second = await claimNext(cast.runner);
  const { decisions } = await readChain(cast.alice, chainId);
  const reason = decisions.find(({ sessionId }) => sessionId === second.sessionId)?.reason;
  return { first: first.start, second: second.start, reason };
}

it('[ENG-3.2] recovers no checkpoint and resumes no conversation, in any tier', async () => {
  const { first, second, reason } = await start(true);
  expect(first).toMatchObject({ continuation: { mode: 'fresh' }, recovery: null });
  expect(first.systemPrompt).not.toContain(NOTES);
  expect(second).toMatchObject({ continuation: { mode: 'handoff' }, recovery: null });
  expect(second.systemPrompt).not.toContain('web still refuses.');
  expect(reason).toBe('FORCE_FRESH');
});

it('[ENG-3.2] without it the same chain recovers and resumes', async () => {
  const { first, second, reason } = await start(false);
  expect(first.systemPrompt).toContain(NOTES);
  expect(second.continuation.mode).toBe('resume');
  expect(reason).toBe('OK_RESUME');
});
