/** What people learn when no runner can run a project's checks. */
import { beforeEach, expect, it } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { recordHeartbeat } from '@/lib/engine/directives';
import { findBlock } from '@/lib/monitoring/checker-rows';
import { assignCheckers, watchBlocks } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';
import { saveConfig } from '../engine/support/running';

useTestDatabase();

/** Each test has an hour of its own, since they share what is known of the runner API. */
let start = Date.now();
beforeEach(() => {
  start += 3_600_000;
});
const inSeconds = (seconds: number) => new Date(start + seconds * 1_000);
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

async function makeWatched(): Promise<Cast> {
  const cast = await makeCast({ monitoring: MONITORING }, inSeconds(0));
  await createChannel(cast.alice, {
    ...{ name: 'Pager', outcomes: [], eventTypes: ['checks.blocked', 'checks.resumed'] },
    projectId: null,
    settings: {
      ...{ kind: 'apprise', serverUrl: 'https://apprise.example', urls: ['slack://a/b'] },
      ...{ configKey: null, tags: null },
    },
  });
  return cast;
}

/** What the worker does every few seconds, while the runner API answers. */
async function sweep(at: Date): Promise<void> {
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(at.getTime() - past * 1_000));
  }
  await assignCheckers(at);
  await watchBlocks(at);
}

async function beat({ runner }: Cast, at: Date, canRunChecks = true): Promise<void> {
  const capabilities = { ...TEST_CAPABILITIES, canRunChecks };
  await recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, at);
}

/** Titles of the messages, and the codes in the project's feed. */
function told({ alice }: Cast) {
  return inTransaction(alice, async (db) => {
    const sent = await db.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
    const feed = await db.projectEvent.findMany({
      where: { code: { startsWith: 'CHECKS_' } },
      orderBy: { id: 'asc' },
    });
    return {
      titles: sent.map(({ body }) => String(JSON.parse(body).title)),
      codes: feed.map(({ code }) => code),
      sentences: feed.map(({ message }) => message),
    };
  });
}

const blockNow = ({ alice, projectId }: Cast) =>
  inTransaction(alice, (db) => findBlock(db, projectId));

it('[INC-1.1] an offline runner: people are notified once when a result is missing, and when it is back', async () => {
  const cast = await makeWatched();
  await sweep(inSeconds(5));
  expect(await blockNow(cast)).toBeNull();
  await sweep(inSeconds(100));
  expect(await blockNow(cast)).toEqual({
    ...{ since: inSeconds(0), reason: 'runner_offline', reportedAt: null },
    ...{ pool: 'default', runner: { id: cast.runner.actor.id, name: 'runner-1' } },
  });
  expect((await told(cast)).titles).toEqual([]);
  for (const seconds of [196, 206, 600]) await sweep(inSeconds(seconds));
  expect(await blockNow(cast)).toMatchObject({ reason: 'runner_offline' });
  expect((await told(cast)).titles).toEqual(['Checkout: nothing is checked']);
  await beat(cast, inSeconds(700));
  for (const seconds of [705, 715]) await sweep(inSeconds(seconds));
  expect(await blockNow(cast)).toBeNull();
  const { titles, codes, sentences } = await told(cast);
  expect(titles).toEqual(['Checkout: nothing is checked', 'Checkout: checks run again']);
  expect(codes).toEqual(['CHECKS_BLOCKED', 'CHECKS_RESUMED']);
  expect(sentences[0]).toContain('the runner that runs its checks is offline');
});

it('[INC-1.1] no runner that can run checks: people are notified, and not of what is over before', async () => {
  const cast = await makeWatched();
  await beat(cast, inSeconds(0), false);
  await sweep(inSeconds(1));
  expect(await blockNow(cast)).toMatchObject({ reason: 'no_runner' });
  await beat(cast, inSeconds(20));
  await sweep(inSeconds(21));
  expect(await blockNow(cast)).toBeNull();
  await beat(cast, inSeconds(240), false);
  await sweep(inSeconds(250));
  await beat(cast, inSeconds(450), false);
  await sweep(inSeconds(460));
  const { titles, sentences } = await told(cast);
  expect(titles).toEqual(['Checkout: nothing is checked']);
  expect(sentences[0]).toContain('no runner of its pool can run checks');
});

it('[INC-1.1] is over when checks without an agent are turned off', async () => {
  const cast = await makeWatched();
  await inTransaction(cast.alice, (db) =>
    db.runner.updateMany({ data: { revokedAt: inSeconds(0) } }),
  );
  for (const seconds of [1, 200]) await sweep(inSeconds(seconds));
  expect(await blockNow(cast)).toMatchObject({ reason: 'no_runner', since: inSeconds(1) });
  await saveConfig(cast, {});
  await sweep(inSeconds(210));
  expect(await blockNow(cast)).toBeNull();
});
