/** The same promises of every storage: the database, and two real S3-compatible servers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteConversation } from '@/lib/conversations/manage-conversations';
import { pruneSeals } from '@/lib/engine/retention';
import { keepSeal } from '@/lib/engine/seals/keep-seal';
import { openSeal } from '@/lib/engine/seals/open-seal';
import { currentStorage } from '@/lib/engine/seals/storage';
import { deleteOrganization } from '@/lib/identity/organizations/service';
import { systemDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError } from '@/lib/platform/errors';
import { openS3Store } from '@/lib/platform/s3-store';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { fetchS3Server, type S3Server, startS3Server } from '@/tests/support/s3-servers/s3-server';
import { talk } from '../conversations/support/asking';
import {
  conversationFile,
  type Held,
  holdConversation,
  makeUnavailable,
} from './support/held-conversation';

const STORAGES = await Promise.all(
  (['postgresql', 'ceph', 'swift'] as const).map(async (name) => {
    const problem = name === 'postgresql' ? null : await fetchS3Server(name);
    if (problem !== null) console.warn(problem);
    return { name, problem };
  }),
);

for (const { name, problem } of STORAGES) {
  describe.skipIf(problem !== null)(`seals kept in ${name}`, () => {
    const database = useTestDatabase();
    let server: S3Server | null = null;
    beforeAll(async () => {
      if (name !== 'postgresql') server = await startS3Server(name);
      // Parsed once for all files of this process.
      Object.assign(env(), { s3: server?.settings ?? null });
    });
    afterAll(async () => {
      Object.assign(env(), { s3: null });
      await server?.stop();
    });

    async function movedFrom(held: Held) {
      await makeUnavailable(held, 'offline');
      const second = await claimNext(held.other);
      const { continuation } = second.start;
      const sealId = continuation.mode === 'resume' ? (continuation.sealId ?? null) : null;
      if (sealId === null) throw new Error('It was not moved.');
      return { second, sealId };
    }

    const bytesOf = (held: Held, sealId: string) =>
      currentStorage().get({
        organizationId: held.cast.alice.organizationId,
        sealId,
        storedBytes: held.file.packed.length,
      });

    /** Writes something else under the name of a stored object, as only its administrator can. */
    async function overwrite(sealId: string, content: Buffer | null): Promise<void> {
      if (!server) {
        const change = content
          ? `update seal_blob set content = '\\x${content.toString('hex')}'`
          : 'delete from seal_blob';
        return runSql(database.superuserUrl, `${change} where seal_id = '${sealId}'`);
      }
      const store = openS3Store(server.settings);
      const key = `${server.settings.prefix}${sealId}`;
      if (content) await store.put(key, content);
      else await store.remove(key);
      store.close();
    }

    it('[FLT-4.4] gives back what was kept, of which nothing can be read there', async () => {
      const held = await holdConversation();
      const { second, sealId } = await movedFrom(held);
      const opened = await openSeal(held.other, second.attemptId);
      expect(opened.packed.equals(held.file.packed)).toBe(true);
      const [seal] = await inTransaction(held.cast.alice, (db) => db.seal.findMany({}));
      expect(seal?.storage).toBe(server ? 's3' : 'postgresql');
      const stored = await bytesOf(held, sealId);
      expect(stored?.length).toBe(seal?.storedBytes);
      expect(stored?.includes(held.file.packed.subarray(20, 60))).toBe(false);
    });

    it('[FLT-4.4] is written under a new name each time, and by uploads at once too', async () => {
      const { cast, first, file } = await holdConversation({ keep: false });
      const keep = () => keepSeal(cast.runner, first.attemptId, file);
      await Promise.all([keep(), keep(), keep()]);
      const seals = await inTransaction(cast.alice, (db) => db.seal.findMany({}));
      expect(seals).toHaveLength(1);
      await pruneSeals();
      expect(await systemDb('test').sealRemoval.count()).toBe(0);
    });

    it.each<[string, (stored: Buffer) => Buffer | null, string]>([
      ['damaged', flipLast, 'damaged'],
      ['cut off', (stored) => stored.subarray(0, stored.length / 2), 'damaged'],
      ['replaced by something else', () => Buffer.from('<html>'), 'damaged'],
      ['gone', () => null, 'missing'],
    ])('[FLT-4.4] [FLT-4.3] is not opened where it is %s', async (_what, change, fault) => {
      const held = await holdConversation();
      const { second, sealId } = await movedFrom(held);
      const stored = await bytesOf(held, sealId);
      await overwrite(sealId, change(stored ?? Buffer.alloc(0)));
      await expect(openSeal(held.other, second.attemptId)).rejects.toThrow(NotFoundError);
      const seals = await inTransaction(held.cast.alice, (db) => db.seal.findMany({}));
      expect(seals.map((seal) => seal.fault)).toEqual([fault]);
    });

    it('[FLT-4.4] [FLT-4.1] is deleted with its conversation, its organization, and by age', async () => {
      const cast = await makeCast();
      const chat = await talk(cast);
      await keepSeal(cast.runner, chat.first.attemptId, conversationFile());
      const held = await holdConversation();
      const old = await holdConversation();
      const idOf = async ({ alice }: typeof cast) =>
        (await inTransaction(alice, (db) => db.seal.findFirstOrThrow({}))).id;
      const ids = [await idOf(cast), await idOf(held.cast), await idOf(old.cast)];
      await deleteConversation(cast.alice, chat.id);
      await play(held.cast.runner, await claimNext(held.cast.runner), {
        report: { resolved: true },
      });
      const confirmSlug = held.cast.organizationSlug;
      await deleteOrganization(held.cast.alice, { confirmSlug });
      await inTransaction(old.cast.alice, (db) =>
        db.seal.updateMany({ data: { expiresAt: new Date() } }),
      );
      await pruneSeals();
      for (const id of ids) expect(await bytesOf(held, id)).toBeNull();
      expect(await systemDb('test').sealRemoval.count()).toBe(0);
    });
  });
}

function flipLast(stored: Buffer): Buffer {
  const changed = Buffer.from(stored);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  return changed;
}
