/** Dry run starts no tier above 1, wherever and whenever it was switched on. */

import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { expectSuppressed, HANDOFF_FILES, handoffFileOf } from './support/handoff-file';
import { saveConfig } from './support/running';

useTestDatabase();

/** Tier 1 writes a handoff file. `meanwhile` happens while it runs. */
async function runTierOne(
  cast: Cast,
  { dryRun = false, meanwhile = async () => {} }: { dryRun?: boolean; meanwhile?: () => unknown },
) {
  const { projectId } = cast;
  const { chainId } = await startChain(cast.alice, { projectId, trigger: 'manual', dryRun });
  const spec = await claimNext(cast.runner);
  await meanwhile();
  await play(cast.runner, spec, handoffFileOf('web'));
  return readChain(cast.alice, chainId);
}

it('[ENG-3.1] [HND-3.7] dry run of the project', async () => {
  const cast = await makeCast({ ...HANDOFF_FILES, dryRun: true });
  expectSuppressed(await runTierOne(cast, {}));
});

it('[ENG-3.1] [HND-3.7] dry run of the chain', async () => {
  const cast = await makeCast(HANDOFF_FILES);
  expectSuppressed(await runTierOne(cast, { dryRun: true }));
});

it('[ENG-3.1] [HND-3.7] dry run that is enabled while tier 1 runs', async () => {
  const cast = await makeCast(HANDOFF_FILES);
  const meanwhile = () => saveConfig(cast, { ...HANDOFF_FILES, dryRun: true });
  expectSuppressed(await runTierOne(cast, { meanwhile }));
});

it('[ENG-3.1] a chain that began in dry run stays in it when the project leaves it', async () => {
  const cast = await makeCast({ ...HANDOFF_FILES, dryRun: true });
  const meanwhile = () => saveConfig(cast, HANDOFF_FILES);
  expectSuppressed(await runTierOne(cast, { meanwhile }));
});

it.each<[string, Partial<ProjectConfig>, Partial<ProjectConfig>]>([
  ['lowered while tier 1 runs', {}, { maxTier: 1 }],
  ['raised while tier 1 runs', { maxTier: 1 }, {}],
])('[HND-3.4] the stricter maximum decides when it is %s', async (_title, before, after) => {
  const cast = await makeCast({ ...HANDOFF_FILES, ...before });
  const meanwhile = () => saveConfig(cast, { ...HANDOFF_FILES, ...after });
  const { chain, sessions } = await runTierOne(cast, { meanwhile });
  expect(chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'MAX_TIER' });
  expect(sessions).toHaveLength(1);
});

it('without dry run the same file starts tier 2', async () => {
  const { sessions } = await runTierOne(await makeCast(HANDOFF_FILES), {});
  expect(sessions.map(({ tier }) => tier)).toEqual([1, 2]);
});
