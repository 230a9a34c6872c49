import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { getSiblings } from '@/lib/insight/siblings';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

it('[PAG-1.4] the chain and the session before and after one are those that have a page', async () => {
  const { alice, projectId, projectSlug, runner } = await makeCast();
  for (const report of [wantsHelp(), {}]) {
    await startChain(alice, { projectId, trigger: 'manual' });
    await play(runner, await claimNext(runner), { report });
    if (report.escalation) await play(runner, await claimNext(runner), {});
  }
  const siblings = (kind: 'chains' | 'sessions', number: number) =>
    getSiblings(alice, projectSlug, { kind, number });
  expect(await siblings('chains', 1)).toEqual({ previous: null, next: 2 });
  expect(await siblings('chains', 2)).toEqual({ previous: 1, next: null });
  expect(await siblings('sessions', 2)).toEqual({ previous: 1, next: 3 });
  // The number of a turn of a conversation has no session page, so it is passed over.
  await inTransaction(alice, (db) =>
    db.session.updateMany({ where: { number: 2 }, data: { kind: 'ask', chainId: null } }),
  );
  expect(await siblings('sessions', 1)).toEqual({ previous: null, next: 3 });
  expect(await siblings('sessions', 3)).toEqual({ previous: 1, next: null });
  const charlie = await makeCast();
  expect(await getSiblings(charlie.alice, projectSlug, { kind: 'chains', number: 1 })).toEqual({
    previous: null,
    next: null,
  });
});
