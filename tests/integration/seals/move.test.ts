/** A conversation whose host is unavailable continues on another host of its pool. */
import { expect, it } from 'vitest';
import { keepSeal, refuseSeal } from '@/lib/engine/seals/keep-seal';
import { openSeal } from '@/lib/engine/seals/open-seal';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import {
  conversationFile,
  type Held,
  holdConversation,
  makeUnavailable,
} from './support/held-conversation';

useTestDatabase();

async function decisionOf({ cast, chainId }: Held, attemptId: string) {
  const { decisions } = await readChain(cast.alice, chainId);
  return decisions.findLast((decision) => decision.attemptId === attemptId);
}

it.each(['offline', 'revoked', 'draining'] as const)(
  '[FLT-4.2] a host that is %s: the next tier resumes on another one, from the seal',
  async (how) => {
    const held = await holdConversation();
    await makeUnavailable(held, how);
    const second = await claimNext(held.other);
    expect(second.start.continuation).toEqual({
      mode: 'resume',
      parentCliSessionId: held.first.start.cliSessionId,
      workDirInode: null,
      transcript: { bytes: held.file.bytes, sha256: held.file.sha256 },
      sealId: expect.any(String),
    });
    expect(await decisionOf(held, second.attemptId)).toMatchObject({
      verdict: 'resume',
      reason: 'OK_RESUME',
      sentence: 'Continues the conversation of Session #1, moved from runner-1 to runner-2.',
    });
    const opened = await openSeal(held.other, second.attemptId);
    expect(opened.packed.equals(held.file.packed)).toBe(true);
  },
);

it('[FLT-4.2] a host that is there keeps its conversation, sealed or not', async () => {
  const held = await holdConversation();
  const second = await claimNext(held.cast.runner);
  expect(second.start.continuation).toMatchObject({ mode: 'resume', sealId: null });
  expect((await decisionOf(held, second.attemptId))?.sentence).toBe(
    'Continues the conversation of Session #1.',
  );
});

it('[FLT-4.2] without a seal the next tier starts from the handoff, and says so', async () => {
  const held = await holdConversation({ keep: false });
  await makeUnavailable(held, 'offline');
  const second = await claimNext(held.other);
  expect(second.start.continuation).toEqual({ mode: 'handoff' });
  expect(await decisionOf(held, second.attemptId)).toMatchObject({
    reason: 'UNREACHABLE',
    sentence: expect.stringContaining('no sealed copy is kept'),
  });
});

it('[FLT-4.2] the copy of a host that drains is waited for, by any host of the pool', async () => {
  const held = await holdConversation({ keep: false });
  await makeUnavailable(held, 'draining');
  await expect(claimNext(held.other)).rejects.toMatchObject({ details: { code: 'held_back' } });
  const [attempt] = await inTransaction(held.cast.alice, (db) =>
    db.attempt.findMany({ where: { status: 'queued' } }),
  );
  expect(attempt?.requiredRunnerId).toBeNull();
  await keepSeal(held.cast.runner, held.first.attemptId, held.file);
  const second = await claimNext(held.other, new Date(Date.now() + 3_000));
  expect(second.start.continuation).toMatchObject({ mode: 'resume', sealId: expect.any(String) });
});

it('[FLT-4.2] a copy that its runner doesn’t send is not waited for', async () => {
  const held = await holdConversation({ keep: false });
  await makeUnavailable(held, 'draining');
  await refuseSeal(held.cast.runner, held.first.attemptId, 'secrets');
  const second = await claimNext(held.other);
  expect(second.start.continuation).toEqual({ mode: 'handoff' });
  expect((await decisionOf(held, second.attemptId))?.reason).toBe('SEAL_REFUSED');
});

it('[FLT-4.2] a copy of another file than the process left is not continued', async () => {
  const held = await holdConversation({ keep: false });
  await keepSeal(held.cast.runner, held.first.attemptId, conversationFile());
  await makeUnavailable(held, 'offline');
  const second = await claimNext(held.other);
  expect(second.start.continuation).toEqual({ mode: 'handoff' });
  expect((await decisionOf(held, second.attemptId))?.reason).toBe('SEAL_DIFFERS');
});

it('[FLT-4.2] a copy that can’t be had on the new host leads to the handoff, once', async () => {
  const held = await holdConversation();
  await makeUnavailable(held, 'offline');
  const second = await claimNext(held.other);
  await play(held.other, second, {
    isSilent: true,
    result: {
      startedAt: null,
      exit: null,
      startError: { code: 'seal_unavailable', message: 'The control plane answered 404.' },
      transcriptSeen: false,
    },
  });
  const third = await claimNext(held.other);
  expect(third.start.continuation).toEqual({ mode: 'handoff' });
  expect((await decisionOf(held, third.attemptId))?.reason).toBe('SEAL_UNAVAILABLE');
});
