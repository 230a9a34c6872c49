/** What a chain is expected to cost, from the ledger of chains that ran. */
import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { ENOUGH_CHAINS } from '@/lib/insight/schedule-cost/basis';
import { getCostBasis, getDefaultCostBases } from '@/lib/insight/schedule-cost/get-basis';
import { createProject } from '@/lib/projects/manage-project';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const HAIKU = { harness: 'claude', model: 'haiku' } as const;

async function runChains({ alice, runner, projectId }: Cast, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await startChain(alice, { projectId, trigger: 'manual' });
    await play(runner, await claimNext(runner), { report: {} });
  }
}

it('[PAG-2.2] comes from the project’s own chains once there are enough, and from others’ before', async () => {
  const cast = await makeCast();
  const { alice, projectId } = cast;
  const basis = () => getCostBasis(alice, { projectId, ...HAIKU });
  await runChains(cast, ENOUGH_CHAINS - 1);
  expect(await basis()).toMatchObject({ kind: 'assumed' });
  await runChains(cast, 1);
  const own = await basis();
  expect(own).toMatchObject({ kind: 'history', of: 'project', chains: ENOUGH_CHAINS });
  expect(own.kind === 'history' && own.medianMicros).toBeGreaterThan(0);

  // A chain that escalated says nothing about those that don't.
  await startChain(alice, { projectId, trigger: 'manual' });
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  await play(cast.runner, await claimNext(cast.runner), { report: {} });
  expect(await basis()).toEqual(own);

  const other = await createProject(alice, { name: 'Shop', slug: 'shop', config: testConfig() });
  expect(await getCostBasis(alice, { projectId: other.projectId, ...HAIKU })).toEqual({
    ...own,
    of: 'organization',
  });
  expect(await getDefaultCostBases(alice)).toMatchObject({
    claude: { kind: 'history', of: 'organization' },
    demo: { kind: 'simulated' },
  });

  const stranger = await makeCast();
  expect(await getDefaultCostBases(stranger.alice)).toMatchObject({ claude: { kind: 'assumed' } });
});
