/** Who isn't given a conversation, and what isn't opened, by the routes that runners call. */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createProject } from '@/lib/projects/manage-project';
import { SEAL_BYTES_HEADER, SEAL_SHA256_HEADER } from '@/lib/protocol/seal';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { makeCast, testConfig } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { dispatcher, findRoutes } from '../api/support/api';
import { type Held, holdConversation, makeUnavailable } from './support/held-conversation';

const database = useTestDatabase();
let dispatch: ReturnType<typeof dispatcher>;
beforeAll(async () => {
  dispatch = dispatcher(await findRoutes('runner/v1'));
});

type Of = Pick<AttemptSpec, 'attemptId'>;

function send(token: string, { attemptId }: Of, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const url = `http://tierwatch.test/api/runner/v1/attempts/${attemptId}/seal`;
  return dispatch(new Request(url, { ...init, headers }));
}
const get = (token: string, of: Of) => send(token, of);

interface Moved extends Held {
  second: AttemptSpec;
  sealId: string;
  /** Of the host that claimed it. */
  key: string;
}

/** Tier 2 was claimed by the other host of the pool, which may open the seal. */
async function moved(): Promise<Moved> {
  const held = await holdConversation();
  await makeUnavailable(held, 'offline');
  const second = await claimNext(held.other);
  const { continuation } = second.start;
  const sealId = continuation.mode === 'resume' ? continuation.sealId : null;
  if (!sealId) throw new Error('It was not moved.');
  return { ...held, second, sealId, key: held.otherKey };
}

async function expectNothing(response: Response): Promise<void> {
  const absent = await get((await makeCast()).runnerKey, { attemptId: randomUUID() });
  expect(response.status).toBe(404);
  const told = async (one: Response) => {
    const { requestId: _, ...rest } = (await one.json()) as Record<string, unknown>;
    return rest;
  };
  expect(await told(response)).toEqual(await told(absent));
}

it('[FLT-4.3] the runner that claimed the start is given the conversation', async () => {
  const { key, second, file } = await moved();
  const response = await get(key, second);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const content = gunzipSync(Buffer.from(await response.arrayBuffer()));
  expect(content.length).toBe(file.bytes);
});

it.each<[string, (held: Moved) => Promise<[string, Of]>]>([
  ['another organization’s runner', async ({ second }) => [(await makeCast()).runnerKey, second]],
  ['the runner that held it', async ({ cast, second }) => [cast.runnerKey, second]],
  ['the attempt that left it', async ({ cast, first }) => [cast.runnerKey, first]],
  ['the other runner, for that attempt', async ({ key, first }) => [key, first]],
])('[FLT-4.3] %s gets 404, as for what isn’t there', async (_who, ask) => {
  await expectNothing(await get(...(await ask(await moved()))));
});

it('[FLT-4.3] nor does the same runner once its attempt has ended', async () => {
  const { cast, key, second } = await moved();
  await inTransaction(cast.alice, (db) =>
    db.attempt.updateMany({
      where: { id: second.attemptId },
      data: { status: 'ended', end: 'completed' },
    }),
  );
  await expectNothing(await get(key, second));
});

it('[FLT-4.3] another organization’s runner can’t hand over a conversation, and learns nothing', async () => {
  const { first, file } = await holdConversation({ keep: false });
  const { runnerKey } = await makeCast();
  const put = (attemptId: string) =>
    send(
      runnerKey,
      { attemptId },
      {
        method: 'PUT',
        headers: { [SEAL_BYTES_HEADER]: String(file.bytes), [SEAL_SHA256_HEADER]: file.sha256 },
        body: new Uint8Array(file.packed),
      },
    );
  const [refused, absent] = [await put(first.attemptId), await put(randomUUID())];
  expect([refused.status, absent.status]).toEqual([404, 404]);
  const refusal = await send(runnerKey, first, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refusal: 'secrets' }),
  });
  expect(refusal.status).toBe(404);
});

/** Past every rule of the product, as someone who can write to the database. */
async function tamper(sql: string): Promise<void> {
  await runSql(database.superuserUrl, sql);
}

const OTHER_ID = '01990000-0000-7000-8000-000000000001';
const flipped = (column: string) => `set_byte(${column}, 40, get_byte(${column}, 40) # 1)`;

it.each<[string, (held: Moved) => Promise<string>]>([
  [
    'a byte of its ciphertext',
    async ({ sealId }) =>
      `update seal_blob set content = ${flipped('content')} where seal_id = '${sealId}'`,
  ],
  [
    'the end of its ciphertext',
    async ({ sealId }) =>
      `update seal_blob set content = substring(content from 1 for length(content) - 1) where seal_id = '${sealId}'`,
  ],
  [
    'a character of its key',
    async ({ sealId }) =>
      `update seal set wrapped_key = overlay(wrapped_key placing (case substring(wrapped_key from 30 for 1) when 'A' then 'B' else 'A' end) from 30) where id = '${sealId}'`,
  ],
  ['its size', async ({ sealId }) => `update seal set bytes = bytes + 1 where id = '${sealId}'`],
  [
    'its hash',
    async ({ sealId }) => `update seal set sha256 = '${'0'.repeat(64)}' where id = '${sealId}'`,
  ],
  [
    'its session',
    async ({ sealId }) => `update seal set session_id = '${OTHER_ID}' where id = '${sealId}'`,
  ],
  [
    'the attempt it belongs to',
    async ({ sealId, second }) =>
      `update seal set attempt_id = '${second.attemptId}' where id = '${sealId}'`,
  ],
  [
    'the id of its key',
    async ({ cast }) =>
      `update seal_key set id = '${OTHER_ID}' where organization_id = '${cast.alice.organizationId}'`,
  ],
  [
    'the organization’s key',
    async ({ cast }) => {
      const { cast: other } = await holdConversation();
      return `update seal_key set wrapped_key = (select wrapped_key from seal_key where organization_id = '${other.alice.organizationId}')
        where organization_id = '${cast.alice.organizationId}'`;
    },
  ],
  [
    'its content, by that of another seal of the organization',
    async ({ cast, sealId }) => {
      await holdConversation();
      return `update seal_blob set content = (select content from seal_blob where seal_id <> '${sealId}' limit 1)
        where organization_id = '${cast.alice.organizationId}'`;
    },
  ],
  [
    'its bytes, by nothing',
    async ({ sealId }) => `delete from seal_blob where seal_id = '${sealId}'`,
  ],
])(
  '[FLT-4.3] after somebody changed %s it isn’t opened, and isn’t offered again',
  async (_what, change) => {
    const held = await moved();
    await tamper(await change(held));
    await expectNothing(await get(held.key, held.second));
    const [seal] = await inTransaction(held.cast.alice, (db) =>
      db.seal.findMany({ where: { id: held.sealId } }),
    );
    expect(seal?.fault).toMatch(/^(damaged|missing)$/);
  },
);

it('[FLT-4.3] a seal of another project of the organization isn’t opened', async () => {
  const held = await moved();
  const { projectId } = await createProject(held.cast.alice, {
    name: 'Other',
    slug: 'other',
    config: testConfig(),
  });
  await tamper(`update seal set project_id = '${projectId}' where id = '${held.sealId}'`);
  await expectNothing(await get(held.key, held.second));
});

it('[FLT-4.3] a start that names the seal of another organization opens nothing', async () => {
  const [own, foreign] = [await moved(), await moved()];
  await tamper(
    `update attempt set start = jsonb_set(start, '{continuation,sealId}', '"${foreign.sealId}"') where id = '${own.second.attemptId}'`,
  );
  await expectNothing(await get(own.key, own.second));
  expect((await get(foreign.key, foreign.second)).status).toBe(200);
});
