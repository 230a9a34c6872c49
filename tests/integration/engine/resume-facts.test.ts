/** Facts of the resume decision, from the rows they come from to what they decide. */
import { expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

useTestDatabase();

async function tierOneEnded(cast: Cast, contextTokens = 1_000, window = 200_000) {
  const chainId = await startOne(cast);
  const first = await claimNext(cast.runner);
  await play(cast.runner, first, { report: wantsHelp(), contextTokens, window });
  return { chainId };
}

async function reasonOf(cast: Cast, chainId: string, attemptId: string) {
  const { decisions } = await readChain(cast.alice, chainId);
  return decisions.findLast((decision) => decision.attemptId === attemptId)?.reason;
}

it('[RES-7.2] [ENG-2.1] a session that fell back once stays with the handoff, also when the id is offered again', async () => {
  const cast = await makeCast();
  const { chainId } = await tierOneEnded(cast);
  const second = await claimNext(cast.runner);
  expect(second.start.continuation.mode).toBe('resume');
  await play(cast.runner, second, {
    isSilent: true,
    result: {
      exit: { code: 1, signal: null },
      stderrTail: 'No conversation found with session ID: 0',
      transcriptSeen: false,
    },
  });
  // As after a restore of the table.
  await inTransaction(cast.alice, (db) =>
    db.pointer.updateMany({ data: { state: 'confirmed', retiredReason: null } }),
  );
  const fallback = await claimNext(cast.runner);
  expect(fallback.start.continuation.mode).toBe('handoff');
  expect(await reasonOf(cast, chainId, fallback.attemptId)).toBe('FALLBACK_KEPT');
});

it.each([
  { used: 150_000, mode: 'resume', reason: 'OK_RESUME' },
  { used: 170_000, mode: 'handoff', reason: 'CONTEXT_PRESSURE' },
])(
  '[RES-8.2] [ENG-2.1] a model of unknown window is judged by the smallest known one: $used tokens, $mode',
  async ({ used, mode, reason }) => {
    const cast = await makeCast();
    const { organizationId } = cast.alice;
    // Tier 1's model has reported 1,000,000, and another one 200,000; tier 2's none.
    const { chainId } = await tierOneEnded(cast, used, 1_000_000);
    await inTransaction(cast.alice, (db) =>
      db.modelWindow.createMany({
        data: {
          organizationId,
          harness: 'claude',
          cliVersion: '2.1.197',
          model: 'opus',
          windowTokens: 200_000,
          seenAt: new Date(),
        },
      }),
    );
    const second = await claimNext(cast.runner);
    expect(second.start.continuation.mode).toBe(mode);
    expect(await reasonOf(cast, chainId, second.attemptId)).toBe(reason);
  },
);

it('[ENG-1.2] a window that another agent reported says nothing, although version and model are the same', async () => {
  const cast = await makeCast();
  const { organizationId } = cast.alice;
  const { chainId } = await tierOneEnded(cast, 150_000, 1_000_000);
  const seen = { organizationId, cliVersion: '2.1.197', windowTokens: 50_000, seenAt: new Date() };
  await inTransaction(cast.alice, (db) =>
    db.modelWindow.createMany({
      data: ['haiku', 'sonnet', 'opus'].map((model) => ({ ...seen, harness: 'demo', model })),
    }),
  );
  const second = await claimNext(cast.runner);
  expect(second.start.continuation.mode).toBe('resume');
  expect(await reasonOf(cast, chainId, second.attemptId)).toBe('OK_RESUME');
});
