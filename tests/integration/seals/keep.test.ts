/** What is kept of conversations, for how long, and what becomes of uploads that fail. */
import { expect, it } from 'vitest';
import { deleteConversation } from '@/lib/conversations/manage-conversations';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { pruneSeals } from '@/lib/engine/retention';
import { keepSeal, refuseSeal } from '@/lib/engine/seals/keep-seal';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { HttpError } from '@/lib/platform/http/problem';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { countRows } from '../accounts/people';
import { talk } from '../conversations/support/asking';
import { conversationFile, holdConversation } from './support/held-conversation';

const database = useTestDatabase();
const HOUR_MS = 3_600_000;

/** Of every organization. */
async function stored() {
  return {
    seals: await countRows(database, 'seal'),
    blobs: await countRows(database, 'seal_blob'),
  };
}

it('[FLT-4.1] an upload is kept once, encrypted, and a repeat is answered like the first', async () => {
  const { cast, first, file } = await holdConversation();
  const before = await stored();
  const again = await keepSeal(cast.runner, first.attemptId, file, new Date(Date.now() + HOUR_MS));
  const seals = await inTransaction(cast.alice, (db) =>
    db.seal.findMany({ include: { blob: true } }),
  );
  expect(seals).toHaveLength(1);
  const [seal] = seals;
  expect(seal).toMatchObject({ bytes: file.bytes, sha256: file.sha256, storage: 'postgresql' });
  expect(again).toEqual({ keptUntil: seal?.expiresAt.toISOString() });
  expect(Buffer.from(seal?.blob?.content ?? '').includes(file.packed.subarray(20, 60))).toBe(false);
  expect(await stored()).toEqual(before);
  const keeps = keepSeal(cast.runner, first.attemptId, conversationFile());
  await expect(keeps).rejects.toThrow(ConflictError);
});

it('[FLT-4.1] uploads of one attempt at once leave one seal', async () => {
  const { cast, first, file } = await holdConversation({ keep: false });
  const before = await stored();
  const all = Array.from({ length: 4 }, () => keepSeal(cast.runner, first.attemptId, file));
  const answers = await Promise.all(all);
  expect(new Set(answers.map(({ keptUntil }) => keptUntil)).size).toBe(1);
  expect(await stored()).toEqual({ seals: before.seals + 1, blobs: before.blobs + 1 });
});

it('[FLT-4.1] what arrives in half, or is another file, leaves nothing', async () => {
  const { cast, first, file } = await holdConversation({ keep: false });
  const before = await stored();
  const half = { ...file, packed: file.packed.subarray(0, file.packed.length / 2) };
  for (const wrong of [half, { ...file, packed: conversationFile().packed }]) {
    await expect(keepSeal(cast.runner, first.attemptId, wrong)).rejects.toThrow(InvalidError);
  }
  expect(await stored()).toEqual(before);
});

it('[FLT-4.1] a conversation above the limit is refused, and which runner kept it to itself is known', async () => {
  const { cast, first, file } = await holdConversation({ keep: false });
  const large = { ...file, bytes: env().seals.maxBytes + 1 };
  const keeps = keepSeal(cast.runner, first.attemptId, large);
  await expect(keeps).rejects.toMatchObject({ status: 413 });
  await expect(keeps).rejects.toThrow(HttpError);
  await refuseSeal(cast.runner, first.attemptId, 'too_large');
  const [attempt] = await inTransaction(cast.alice, (db) =>
    db.attempt.findMany({ where: { id: first.attemptId } }),
  );
  expect(attempt?.sealRefusal).toBe('too_large');
});

it('[FLT-4.1] the oldest seals of an organization are evicted for new ones, and those of others stay', async () => {
  const [own, other] = [await holdConversation(), await holdConversation()];
  const seals = env().seals;
  const before = { ...seals };
  // Room for one more than the new one would take.
  seals.organizationBytes = own.file.packed.length + 1_000;
  try {
    await play(own.cast.runner, await claimNext(own.cast.runner), {});
    const { first } = await talk(own.cast);
    await keepSeal(own.cast.runner, first.attemptId, conversationFile());
  } finally {
    Object.assign(seals, before);
  }
  const ofOwn = await inTransaction(own.cast.alice, (db) => db.seal.findMany({}));
  expect(ofOwn.map(({ attemptId }) => attemptId)).not.toContain(own.first.attemptId);
  expect(ofOwn).toHaveLength(1);
  expect(await inTransaction(other.cast.alice, (db) => db.seal.count())).toBe(1);
});

it('[FLT-4.1] retention deletes a seal with its bytes once its time is over', async () => {
  const { cast } = await holdConversation();
  const count = () => inTransaction(cast.alice, (db) => db.seal.count());
  const over = new Date(Date.now() + env().seals.hours * HOUR_MS);
  await pruneSeals(new Date(over.getTime() - 60_000));
  expect(await count()).toBe(1);
  await pruneSeals(over);
  expect(await count()).toBe(0);
  expect(await stored()).toEqual({ seals: 0, blobs: 0 });
});

it('[FLT-4.1] what an interrupted upload left is deleted after an hour, and never read before', async () => {
  const { cast, first } = await holdConversation();
  await inTransaction(cast.alice, (db) => db.seal.updateMany({ data: { writtenAt: null } }));
  const count = () => inTransaction(cast.alice, (db) => db.seal.count());
  await pruneSeals(new Date(Date.now() + HOUR_MS - 60_000));
  expect(await count()).toBe(1);
  const second = await claimNext(cast.runner);
  expect(second.start.continuation).toMatchObject({
    parentCliSessionId: first.start.cliSessionId,
    sealId: null,
  });
  await pruneSeals(new Date(Date.now() + HOUR_MS + 60_000));
  expect(await count()).toBe(0);
});

it('[FLT-4.1] deleting a conversation deletes its seals, and one that comes late isn’t kept', async () => {
  const cast = await makeCast();
  const chat = await talk(cast);
  const second = await chat.ask('And now?');
  await keepSeal(cast.runner, chat.first.attemptId, conversationFile());
  await deleteConversation(cast.alice, chat.id);
  expect(await inTransaction(cast.alice, (db) => db.seal.count())).toBe(0);
  const late = keepSeal(cast.runner, second.attemptId, conversationFile());
  await expect(late).rejects.toThrow(NotFoundError);
});

it('[FLT-4.1] deleting a project deletes the seals of its chains', async () => {
  const { cast } = await holdConversation();
  await play(cast.runner, await claimNext(cast.runner), { report: { resolved: true } });
  await deleteProject(cast.alice, cast.projectSlug);
  expect(await inTransaction(cast.alice, (db) => db.seal.count())).toBe(0);
});
