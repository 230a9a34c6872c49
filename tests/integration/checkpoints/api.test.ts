/** Checkpoints in the REST API: who gets which, how many, and what never comes out. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { createProject } from '@/lib/projects/manage-project';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { claimNext, eventsOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { type Api, openApi } from '../api/support/api';
import { send, startOne } from '../engine/support/running';
import { checkpoint } from './support/checkpoint';

useTestDatabase();
afterAll(() => liveHub().close());

let cast: Cast;
let spec: AttemptSpec;
let sessionId: string;
let api: Api;
let token: string;
beforeEach(async () => {
  cast = await makeCast();
  await startOne(cast);
  spec = await claimNext(cast.runner);
  await send(cast.runner, spec, eventsOf(spec, { isSilent: true }));
  sessionId = encodeId('ses', spec.sessionId);
  api = await openApi();
  token = await tokenOf(cast);
});

async function tokenOf({ alice }: Cast): Promise<string> {
  const input = { name: 'test', scopes: ['checkpoints:read' as const], expiresInDays: 1 };
  return (await createApiToken(alice, input)).token;
}

async function read(path: string, as = token) {
  const response = await api('GET', path, { token: as });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const keep = (...digests: string[]) =>
  send(
    cast.runner,
    spec,
    digests.map((digest) => checkpoint(digest, '/srv/checkout', { queries: [`for ${digest}`] })),
  );
const digestsOf = ({ body }: { body: { data: { digest: string }[] } }) =>
  body.data.map(({ digest }) => digest);

describe('GET /checkpoints', () => {
  it('[CKP-6.1] answers the newest ten of a project, by its id or slug', async () => {
    const other = await createProject(cast.alice, {
      name: 'Billing',
      slug: 'billing',
      config: testConfig(),
    });
    await keep(...Array.from({ length: 12 }, (_, index) => `note ${index + 1}`));
    const expected = Array.from({ length: 10 }, (_, index) => `note ${12 - index}`);
    for (const project of ['checkout', encodeId('prj', cast.projectId)]) {
      expect(digestsOf(await read(`checkpoints?project=${project}`))).toEqual(expected);
    }
    const id = encodeId('prj', other.projectId);
    expect((await read(`checkpoints?project=${id}`)).body.data).toEqual([]);
  });

  it('[CKP-6.1] says everything that is kept of one', async () => {
    await keep('note');
    const { body, headers } = await read('checkpoints');
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^chk_/),
        project: { id: encodeId('prj', cast.projectId), slug: 'checkout', name: 'Checkout' },
        session: { id: sessionId, number: 1, tier: 1 },
        attemptId: encodeId('att', spec.attemptId),
        label: '#1.1',
        trigger: 'periodic',
        digest: 'note',
        counts: { prompts: 1, toolCalls: 10, toolResults: 9, elapsedMs: 60_000 },
        queries: ['for note'],
        remembered: [],
        harness: 'claude',
        projectPath: '/srv/checkout',
        projectPathNormalized: '/srv/checkout',
        hookSessionId: null,
        isLate: false,
        at: expect.any(String),
        createdAt: expect.any(String),
      },
    ]);
    expect(headers.get('ratelimit-limit')).toBe('600');
  });

  it('[CKP-6.1] continues where the page before ended', async () => {
    await keep('1', '2', '3');
    const first = await read('checkpoints?limit=2');
    expect(digestsOf(first)).toEqual(['3', '2']);
    const second = await read(`checkpoints?limit=2&cursor=${first.body.nextCursor}`);
    expect(digestsOf(second)).toEqual(['1']);
    expect(second.body.nextCursor).toBeNull();
    await inTransaction(cast.alice, (db) => db.checkpoint.deleteMany({}));
    const gone = await read(`checkpoints?cursor=${first.body.nextCursor}`);
    expect(gone.body).toEqual({ data: [], nextCursor: null });
  });

  it.each(['0', '101', '-1', '1.5', 'many', ''])(
    '[CKP-6.1] refuses the limit "%s" with 400 and says what to do',
    async (limit) => {
      const { status, body } = await read(`checkpoints?limit=${limit}`);
      expect(status).toBe(400);
      expect(body.detail).toContain('Enter a limit of 1 to 100.');
      expect(body.fields).toEqual({ limit: 'Enter a limit of 1 to 100.' });
    },
  );

  it('[CKP-6.1] takes the limits 1 and 100', async () => {
    await keep('1', '2');
    expect(digestsOf(await read('checkpoints?limit=1'))).toEqual(['2']);
    expect(digestsOf(await read('checkpoints?limit=100'))).toEqual(['2', '1']);
  });
});

describe('GET /checkpoints/{sessionId}', () => {
  it('[CKP-6.1] answers all of one session', async () => {
    await keep(...Array.from({ length: 25 }, (_, index) => `${index + 1}`));
    const found = digestsOf(await read(`checkpoints/${sessionId}`));
    expect(found).toEqual(Array.from({ length: 25 }, (_, index) => `${25 - index}`));
  });

  it('shows one that came late, and says so', async () => {
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { fence: spec.fence + 1 } }),
    );
    await keep('late');
    expect((await read(`checkpoints/${sessionId}`)).body.data).toMatchObject([
      { digest: 'late', isLate: true },
    ]);
  });
});

describe('both', () => {
  it('[CKP-6.1] show nothing to another organization', async () => {
    await keep('note');
    const stranger = await tokenOf(await makeCast());
    expect((await read('checkpoints', stranger)).body.data).toEqual([]);
    expect((await read(`checkpoints/${sessionId}`, stranger)).status).toBe(404);
  });

  it('[CKP-5.1] redact again what lies in the table', async () => {
    await keep('note');
    const canary = `ghp_${'c4n4rY'.repeat(6)}`;
    await inTransaction(cast.alice, (db) =>
      db.checkpoint.updateMany({
        data: { digest: canary, recentQueries: [canary], remembered: [canary] },
      }),
    );
    for (const path of ['checkpoints', `checkpoints/${sessionId}`]) {
      const { body } = await read(path);
      expect(body.data).toHaveLength(1);
      expect(JSON.stringify(body)).not.toContain(canary);
      expect(body.data[0].digest).toMatch(/^\[redacted: /);
    }
  });
});
