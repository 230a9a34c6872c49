/** CLAUDEOPS_DRY_RUN=true keeps every project of the installation from escalating. */

import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { env } from '@/lib/platform/env';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { expectSuppressed, HANDOFF_FILES, handoffFileOf } from './support/handoff-file';

// Before anything reads the environment, which is parsed once.
process.env.CLAUDEOPS_DRY_RUN = 'true';
useTestDatabase();

it('[ENG-3.1] [HND-3.7] no tier above 1 starts, and the tier is told', async () => {
  expect(env().isDryRunForced).toBe(true);
  const cast = await makeCast(HANDOFF_FILES);
  const { projectId } = cast;
  const { chainId } = await startChain(cast.alice, { projectId, trigger: 'manual' });
  const spec = await claimNext(cast.runner);
  expect(spec.start.systemPrompt).toContain('Dry run');
  await play(cast.runner, spec, handoffFileOf('web'));
  expectSuppressed(await readChain(cast.alice, chainId));
});
