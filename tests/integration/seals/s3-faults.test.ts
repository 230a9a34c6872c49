/** What goes wrong between the control plane and a real S3 server, by a proxy that makes it so. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ObjectStore, ObjectStoreError, openS3Store } from '@/lib/platform/s3-store';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import {
  type Fault,
  type FaultyProxy,
  startFaultyProxy,
} from '@/tests/support/s3-servers/faulty-proxy';
import {
  fetchS3Server,
  S3_SERVERS,
  type S3Server,
  startS3Server,
} from '@/tests/support/s3-servers/s3-server';

const SERVERS = await Promise.all(
  S3_SERVERS.map(async (name) => ({ name, problem: await fetchS3Server(name) })),
);
const CONTENT = randomBytes(300_000);
/** How long the store may be silent in these tests. */
const SILENCE_MS = 1_500;
const EVERY_TIME = 1_000;
const PAGE =
  'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>';

for (const { name, problem } of SERVERS) {
  describe.skipIf(problem !== null)(`[FLT-4.4] an S3 store on ${name}`, () => {
    let server: S3Server;
    let proxy: FaultyProxy;
    let direct: ObjectStore;
    let store: ObjectStore;
    beforeAll(async () => {
      server = await startS3Server(name);
      proxy = await startFaultyProxy(server.settings.endpoint ?? '');
      direct = openS3Store(server.settings);
    });
    beforeEach(() => {
      proxy.times = 0;
      store?.close();
      store = openS3Store({ ...server.settings, endpoint: proxy.url }, SILENCE_MS);
    });
    afterAll(async () => {
      store?.close();
      direct?.close();
      await proxy?.close();
      await server?.stop();
    });

    function fail(fault: Fault, times = EVERY_TIME): void {
      Object.assign(proxy, { fault, times });
    }

    async function kept(): Promise<string> {
      const key = randomUUID();
      await direct.put(key, CONTENT);
      return key;
    }

    const away = (work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ name: 'ObjectStoreError', kind: 'away' });

    it('that nothing is wrong with keeps, gives and deletes', async () => {
      const key = randomUUID();
      expect(await store.get(key, CONTENT.length)).toBeNull();
      await store.put(key, CONTENT);
      expect((await store.get(key, CONTENT.length))?.equals(CONTENT)).toBe(true);
      await store.remove(key);
      expect(await store.get(key, CONTENT.length)).toBeNull();
      await store.remove(key);
    });

    it.each<[string, Fault]>([
      ['never answers', { kind: 'silent' }],
      ['breaks off in the middle of an upload', { kind: 'cut_request', after: 100_000 }],
      ['loses its answer', { kind: 'lose_answer' }],
      ['answers with a page', { kind: 'answer', text: PAGE }],
      ['answers no HTTP', { kind: 'answer', text: 'SSH-2.0-OpenSSH\r\n' }],
    ])('that %s has not kept anything that counts, and says so', async (_what, fault) => {
      fail(fault);
      await away(store.put(randomUUID(), CONTENT));
    });

    it.each<[string, Fault]>([
      ['never answers', { kind: 'silent' }],
      ['breaks off in the middle of an answer', { kind: 'cut_answer', after: 100_000 }],
      ['stalls in the middle of an answer', { kind: 'stall_answer', after: 100_000 }],
      ['answers with a page', { kind: 'answer', text: PAGE }],
    ])('that %s is read again later, and its object isn’t taken for lost', async (_what, fault) => {
      const key = await kept();
      fail(fault);
      await away(store.get(key, CONTENT.length));
      proxy.times = 0;
      expect((await store.get(key, CONTENT.length))?.equals(CONTENT)).toBe(true);
    });

    it.each<[string, Fault]>([
      ['never answers', { kind: 'silent' }],
      ['loses its answer', { kind: 'lose_answer' }],
      ['answers with a page', { kind: 'answer', text: PAGE }],
    ])('that %s is asked again later to delete', async (_what, fault) => {
      const key = await kept();
      fail(fault);
      await away(store.remove(key));
      proxy.times = 0;
      await store.remove(key);
      expect(await direct.get(key, CONTENT.length)).toBeNull();
    });

    it('that breaks off once is asked again', async () => {
      const key = await kept();
      fail({ kind: 'cut_answer', after: 100_000 }, 1);
      expect((await store.get(key, CONTENT.length))?.equals(CONTENT)).toBe(true);
      fail({ kind: 'cut_request', after: 50_000 }, 1);
      await store.put(randomUUID(), CONTENT);
    });

    it('that is slow is waited for', async () => {
      fail({ kind: 'slow', ms: 300 });
      const key = randomUUID();
      await store.put(key, CONTENT);
      fail({ kind: 'slow', ms: 20 });
      expect((await store.get(key, CONTENT.length))?.equals(CONTENT)).toBe(true);
    });

    it('gives damaged bytes as they come: whoever reads has to verify them', async () => {
      const key = await kept();
      fail({ kind: 'damage_answer', after: 100_000 });
      const found = await store.get(key, CONTENT.length);
      expect(found?.length).toBe(CONTENT.length);
      expect(found?.equals(CONTENT)).toBe(false);
    });

    it('that isn’t there is away, and a wrong key, bucket or right is a refusal', async () => {
      const closed = `http://127.0.0.1:${await findFreePort()}`;
      const put = async (changes: Partial<S3Server['settings']>) => {
        const other = openS3Store({ ...server.settings, ...changes }, SILENCE_MS);
        const error = await other.put(randomUUID(), CONTENT).catch((thrown: unknown) => thrown);
        other.close();
        return error instanceof ObjectStoreError ? error.kind : error;
      };
      expect(await put({ endpoint: closed })).toBe('away');
      expect(await put({ secretAccessKey: 'wrong' })).toBe('refused');
      expect(await put({ bucket: 'no-such-bucket' })).toBe('refused');
      expect(await put(server.reader)).toBe('refused');
    });
  });
}
