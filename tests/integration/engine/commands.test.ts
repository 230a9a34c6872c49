/** The rows of what confined agents had run on their hosts, from their events to the API. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { listCommands } from '@/lib/insight/commands/list-commands';
import { commandQuerySchema } from '@/lib/insight/commands/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { migrationNamed } from '@/tests/integration/maintenance/support/old-database';
import { makeCast } from '@/tests/support/cast/organization';
import { play } from '@/tests/support/cast/scripted-attempt';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { approvalsOf, ask, decide, notRun, type Scene, tierTwoRuns } from './support/approving';
import { send } from './support/running';

const database = useTestDatabase();
afterAll(() => liveHub().close());

let scene: Scene;
beforeEach(async () => {
  scene = await tierTwoRuns();
});

function about(number: number, changes: Partial<BrokeredEvent> = {}): BrokeredEvent {
  const command = { number, argv: ['docker', 'restart', 'web'], changes: true };
  const none = { rule: 'Bash(docker restart {service})', refusal: null, end: null };
  return { kind: 'brokered', phase: 'started', ...command, ...none, ...changes };
}

function endOf(number: number, exitCode: number | null, changes: Partial<BrokeredEvent> = {}) {
  const none = { signal: exitCode === null ? 'SIGKILL' : null, error: null };
  const end = { exitCode, ...none, durationMs: 40, output: 'web', outputBytes: 3 };
  return about(number, { phase: 'ended', end, ...changes });
}

const report = (...events: BrokeredEvent[]) => send(scene.cast.runner, scene.spec, events);

const list = (query: Record<string, unknown> = {}, who = scene.cast.alice) =>
  listCommands(who, commandQuerySchema.parse(query));

const sessionId = async () => (await list()).data[0]?.session.id;

async function states(query: Record<string, unknown> = {}) {
  const { data } = await list(query);
  return data.map(({ number, state }) => [number, state]).toSorted();
}

describe('commands of a confined agent', () => {
  it('[BND-2.4] [BND-4.5] are rows with their outcome, whether it comes at once or later', async () => {
    await report(about(1), endOf(1, 0), about(2), notRun(3, 'not_allowed'), about(4));
    await report(endOf(2, 1), about(5), endOf(5, null));
    expect(await states()).toEqual([
      [1, 'succeeded'],
      [2, 'failed'],
      [3, 'refused'],
      [4, 'started'],
      [5, 'failed'],
    ]);
    const [killed] = (await list({ state: 'failed', limit: '1' })).data;
    expect(killed).toMatchObject({
      argv: ['docker', 'restart', 'web'],
      rule: 'Bash(docker restart {service})',
      mayChange: true,
      chain: { id: encodeId('chn', scene.chainId) },
      session: { tier: 2 },
      attempt: { id: encodeId('att', scene.spec.attemptId) },
      runner: { name: expect.any(String) },
      durationMs: 40,
      outputBytes: 3,
    });
  });

  it('[BND-2.4] without an end when their attempt ends may have run', async () => {
    await report(about(1));
    await play(scene.cast.runner, scene.spec, {});
    expect(await states({ state: 'unknown' })).toEqual([[1, 'unknown']]);
    expect(await states({ state: 'started' })).toEqual([]);
    // Its runner reports the end after all.
    await report(endOf(1, 0));
    expect(await states()).toEqual([[1, 'succeeded']]);
  });

  it('[BND-2.4] an end stays what it was, whatever is reported later', async () => {
    await report(about(1), endOf(1, 0));
    await report(notRun(1, 'fenced'), about(1));
    expect(await states()).toEqual([[1, 'succeeded']]);
  });

  it('[BND-4.1] name the approval that let them run, or that they waited for', async () => {
    const { now } = scene;
    await ask(scene, { number: 1 }, now);
    const [approval] = await approvalsOf(scene.cast);
    await decide(scene.cast.alice, scene.cast, 'approve', now);
    await ask(scene, { number: 1 }, now);
    await report(about(1), endOf(1, 0), about(2), endOf(2, 0));
    const { data } = await list();
    expect(data.map(({ number, approvalId }) => [number, approvalId]).toSorted()).toEqual([
      [1, encodeId('apr', approval?.id ?? '')],
      [2, null],
    ]);
  });

  it('are found by project, chain, session, time and whether they may change something', async () => {
    await report(about(1), about(2, { changes: false, argv: ['docker', 'ps'] }));
    expect(await states({ project: 'checkout', mayChange: 'false' })).toEqual([[2, 'started']]);
    const chain = encodeId('chn', scene.chainId);
    expect(await states({ chain, mayChange: 'true' })).toEqual([[1, 'started']]);
    expect(await states({ session: await sessionId() })).toHaveLength(2);
    const moment = (ms: number) => new Date(scene.now.getTime() + ms).toISOString();
    expect(await states({ from: moment(-60_000), to: moment(3_600_000) })).toHaveLength(2);
    expect(await states({ from: moment(3_600_000) })).toEqual([]);
    expect(await states({ to: moment(-60_000) })).toEqual([]);
    const first = await list({ limit: '1' });
    const second = await list({ limit: '1', cursor: first.nextCursor });
    expect([...first.data, ...second.data].map(({ number }) => number).toSorted()).toEqual([1, 2]);
    expect(second.nextCursor).toBeNull();
  });

  it('[SAS-1.3] are nobody else’s', async () => {
    await report(about(1));
    const other = await makeCast();
    expect((await list({}, other.alice)).data).toEqual([]);
    for (const query of [
      { chain: encodeId('chn', scene.chainId) },
      { session: await sessionId() },
      { project: encodeId('prj', scene.cast.projectId) },
    ]) {
      await expect(list(query, other.alice)).rejects.toThrow(NotFoundError);
    }
  });

  it('[BND-2.4] that are in logs from before become the same rows', async () => {
    await report(
      about(1),
      endOf(1, 0),
      about(2),
      endOf(2, null),
      notRun(3, 'not_allowed'),
      about(4),
    );
    const rows = () =>
      inTransaction(scene.cast.alice, (db) =>
        db.command.findMany({ orderBy: { number: 'asc' }, omit: { id: true } }),
      );
    const before = await rows();
    expect(before).toHaveLength(4);
    await runSql(database.superuserUrl, 'delete from command');
    // As migrations run: by the owner, who may not see rows of tenants.
    for (let time = 0; time < 2; time += 1) {
      await runSql(database.ownerUrl, `begin; ${migrationNamed('commands_of_logs').sql} commit;`);
    }
    expect(await rows()).toEqual(before);
    expect(await states({ from: scene.now.toISOString() })).toHaveLength(4);
  });
});
