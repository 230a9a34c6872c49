/** The outside monitor: a real receiver, and a real worker that is killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/lib/platform/db/global-db';
import { env } from '@/lib/platform/env';
import { RUNNER_API, recordPresence } from '@/lib/platform/health';
import { registerJobs } from '@/lib/watchdog/job-runs';
import { pingWatchdog } from '@/lib/watchdog/ping';
import { watch } from '@/lib/watchdog/watch';
import { programFile } from '@/scripts/bootstrap/programs.mjs';
import { eventually } from '@/tests/bootstrap/eventually';
import { databaseEnvironment, useTestDatabase } from '@/tests/support/database';
import { productProcess } from '@/tests/support/system/product-process';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';

const database = useTestDatabase();
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

const db = () => systemDb('tests of the watchdog');

describe('[INC-4.1] the dead man’s switch', () => {
  const JOB = { name: 'chains.start_due', everyMs: 1_000 };
  const now = new Date();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

  beforeEach(async () => {
    receiver.received.length = 0;
    Object.assign(env(), { watchdogUrl: receiver.url });
    await db().processHeartbeat.deleteMany();
    for (const name of [RUNNER_API, 'worker']) {
      await recordPresence(name, 15, ago(600));
      await recordPresence(name, 3_600, now);
    }
    await registerJobs([JOB], ago(600));
    await db().jobRun.updateMany({ data: { lastEndedAt: now } });
  });
  afterAll(() => void Object.assign(env(), { watchdogUrl: null }));

  it('is requested while all is well', async () => {
    expect(await pingWatchdog(now)).toBe('sent');
    expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /hook']);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'web doesn’t report',
      () =>
        db().processHeartbeat.update({ where: { name: RUNNER_API }, data: { lastAt: ago(61) } }),
    ],
    ['a job misses its slots', () => db().jobRun.updateMany({ data: { lastEndedAt: ago(62) } })],
    ['no job was ever scheduled', () => db().jobRun.deleteMany()],
  ])('isn’t requested while %s', async (_when, breakIt) => {
    await breakIt();
    expect(await pingWatchdog(now)).toBe('withheld');
    expect(receiver.received).toEqual([]);
  });

  it('is requested again after one failure, and not a third time', async () => {
    receiver.answerWith({ status: 502 });
    expect(await pingWatchdog(now)).toBe('sent');
    receiver.answerWith({ kind: 'reset' }, { status: 404 });
    expect(await pingWatchdog(now)).toBe('failed');
    expect(receiver.received).toHaveLength(4);
  });

  it('follows no redirect, and never reaches the address of cloud metadata', async () => {
    const away = { status: 302, headers: { location: `${receiver.url}/elsewhere` } };
    receiver.answerWith(away, away);
    expect(await pingWatchdog(now)).toBe('failed');
    expect(receiver.received.map((request) => request.path)).toEqual(['/hook', '/hook']);
    Object.assign(env(), { watchdogUrl: 'http://169.254.169.254/latest/meta-data' });
    expect(await pingWatchdog(now)).toBe('failed');
  });

  it('is off without an address', async () => {
    Object.assign(env(), { watchdogUrl: null });
    expect(await pingWatchdog(now)).toBe('off');
  });
});

describe('[INC-4.1] the outside monitor of a real worker', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-watchdog-'));
  let web: NodeJS.Timeout | undefined;
  afterEach(() => clearInterval(web));

  /** As a web process: it reports until it is stopped. */
  async function startWeb(): Promise<void> {
    await recordPresence(RUNNER_API, 15);
    web = setInterval(() => void recordPresence(RUNNER_API, 15), 1_000);
  }

  it('is requested until the worker is killed, again after its start, and not without web', async () => {
    await db().processHeartbeat.deleteMany();
    await db().jobRun.deleteMany();
    await startWeb();
    const { PATH, HOME } = process.env;
    const worker = productProcess(
      {
        name: 'worker',
        args: [programFile('worker')],
        env: {
          ...{ PATH, HOME },
          ...databaseEnvironment(database),
          TIERWATCH_DATA_DIR: folder,
          TIERWATCH_WATCHDOG_URL: receiver.url,
          TIERWATCH_WATCHDOG_SECONDS: '5',
        },
      },
      folder,
    );
    const pings = () => receiver.received.length;
    receiver.received.length = 0;
    try {
      worker.start();
      await eventually('two pings', () => pings() >= 2, 120_000);
      const recorded = await db().jobRun.findMany({ where: { lastEndedAt: { not: null } } });
      expect(recorded.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['chains.start_due', 'watchdog.ping']),
      );

      await worker.end('SIGKILL');
      const atDeath = pings();
      const watcher = { component: 'web' as const, since: new Date(Date.now() - 600_000) };
      const found = await eventually('web notices', async () => {
        const { opened } = await watch(watcher, new Date(Date.now() + 61_000));
        return opened > 0 && db().installationProblem.findMany({ where: { component: 'worker' } });
      });
      expect(found).toMatchObject([{ kind: 'not_reporting', until: null }]);
      expect(pings()).toBe(atDeath);

      worker.start();
      await eventually('pings again', () => pings() > atDeath, 120_000);
    } finally {
      clearInterval(web);
    }
    try {
      await db().processHeartbeat.update({
        where: { name: RUNNER_API },
        data: { lastAt: new Date(Date.now() - 120_000) },
      });
      await eventually('it isn’t pinged', () => worker.output().includes('watchdog not pinged'));
      const withheld = pings();
      const lines = () => worker.output().split('watchdog not pinged').length;
      const before = lines();
      await eventually('nor the next time', () => lines() > before);
      expect(pings()).toBe(withheld);
    } finally {
      await worker.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
