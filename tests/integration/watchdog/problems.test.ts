/** Problems of the installation, from what PostgreSQL holds to the operator's mailbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GET } from '@/app/api/health/route';
import { Prisma } from '@/generated/prisma/client';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { systemDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { RUNNER_API, recordPresence } from '@/lib/platform/health';
import { createMailer, type Mailer } from '@/lib/platform/mail';
import {
  listInstallationProblems,
  listSharedProblems,
  pruneProblems,
} from '@/lib/watchdog/get-health';
import { recordJobEnd, registerJobs } from '@/lib/watchdog/job-runs';
import { notifyOperator } from '@/lib/watchdog/notify-operator';
import { startWatch, watch } from '@/lib/watchdog/watch';
import { makeCast, testConfig } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { type MailServer, startMailServer } from '@/tests/support/mail-server/mail-server';
import { startSmtpServer } from '@/tests/support/mail-server/scripted-server';
import '@/tests/support/subscriptions';
import { saveConfig } from '../engine/support/running';

const database = useTestDatabase();
const OPERATOR = 'operator@tierwatch.example';
const FROM = 'tierwatch@tierwatch.example';
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  Object.assign(env(), { operatorEmail: OPERATOR, smtpUrl: mail.url });
});
afterAll(async () => {
  Object.assign(env(), { operatorEmail: null, smtpUrl: null });
  await mail.close();
});

const db = () => systemDb('tests of the watchdog');
const START = new Date('2026-11-26T03:00:00Z').getTime();
const at = (seconds: number) => new Date(START + seconds * 1_000);
const JOB = { name: 'chains.start_due', everyMs: 1_000 };
const subjectsOf = ({ received }: MailServer) =>
  received.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim());

/** Web and worker report, and the job ends, up to then. */
async function allReportUntil(seconds: number) {
  for (const name of [RUNNER_API, 'worker']) {
    await recordPresence(name, 15, at(seconds - 3_600));
    await db().processHeartbeat.updateMany({ where: { name }, data: { lastAt: at(seconds) } });
  }
  await db().jobRun.updateMany({ data: { lastEndedAt: at(seconds) } });
}
const watchAt = (seconds: number, component: 'web' | 'worker' = 'web') =>
  watch({ component, since: at(-3_600) }, at(seconds));
const open = () => db().installationProblem.findMany({ where: { until: null } });

beforeEach(async () => {
  mail.received.length = 0;
  await db().installationProblem.deleteMany();
  await db().queueSample.deleteMany();
  await db().processHeartbeat.deleteMany();
  await db().jobRun.deleteMany();
  await registerJobs([JOB], at(-3_600));
  await allReportUntil(0);
});

describe('[INC-4.1] a worker that was killed', () => {
  it('is one problem, found by web, with one message when it begins and one when it is over', async () => {
    expect(await watchAt(10)).toEqual({ opened: 0, ended: 0 });
    await recordPresence(RUNNER_API, 3_600, at(70));
    expect(await watchAt(70)).toEqual({ opened: 1, ended: 0 });
    for (const seconds of [85, 100]) {
      await recordPresence(RUNNER_API, 3_600, at(seconds));
      expect(await watchAt(seconds)).toEqual({ opened: 0, ended: 0 });
    }
    // Its jobs are late, too, and the worker is why.
    expect(await open()).toMatchObject([
      { component: 'worker', kind: 'not_reporting', since: at(0), openedAt: at(70) },
    ]);
    expect(await notifyOperator(at(100))).toBe(1);
    expect(await notifyOperator(at(300))).toBe(0);
    expect(subjectsOf(mail)).toEqual(['[Tierwatch] No worker reports']);
    expect(mail.received[0]?.to).toEqual([OPERATOR]);

    await allReportUntil(120);
    expect(await watchAt(121, 'worker')).toEqual({ opened: 0, ended: 0 });
    await allReportUntil(190);
    expect(await watchAt(190, 'worker')).toEqual({ opened: 0, ended: 1 });
    expect(await open()).toEqual([]);
    expect(await notifyOperator(at(191))).toBe(1);
    expect(await notifyOperator(at(400))).toBe(0);
    expect(subjectsOf(mail)[1]).toBe('[Tierwatch] Resolved: No worker reports');
    const [{ until } = { until: null }] = await listInstallationProblems(at(200));
    expect(until).toEqual(at(121));
  });

  it('is opened once, although web and worker watch at the same time', async () => {
    const [one, other] = await Promise.all([watchAt(70), watchAt(70)]);
    expect((one?.opened ?? 0) + (other?.opened ?? 0)).toBe(2);
    expect(await open()).toHaveLength(2);
  });
});

it('[INC-4.1] a web process that was killed is found by the worker, and is over once it reports again', async () => {
  await recordPresence('worker', 3_600, at(70));
  await db().jobRun.updateMany({ data: { lastEndedAt: at(70) } });
  expect(await watchAt(70, 'worker')).toEqual({ opened: 1, ended: 0 });
  expect(await open()).toMatchObject([{ component: 'web', kind: 'not_reporting', since: at(0) }]);
  await notifyOperator(at(71));
  expect(subjectsOf(mail)).toEqual(['[Tierwatch] No web process reports']);
  await allReportUntil(120);
  await watchAt(121);
  await allReportUntil(190);
  await watchAt(190);
  expect(await open()).toEqual([]);
});

describe('[INC-4.1] a recurring job', () => {
  it('that fails each time has missed its slot, and a success ends that', async () => {
    await allReportUntil(120);
    await db().jobRun.updateMany({ data: { lastEndedAt: at(30) } });
    await recordJobEnd(JOB.name, true, at(110));
    await recordJobEnd(JOB.name, true, at(118));
    expect(await watchAt(120)).toEqual({ opened: 1, ended: 0 });
    expect(await open()).toMatchObject([
      { component: 'job', subject: JOB.name, figures: { everyMs: 1_000, failures: 2 } },
    ]);
    await recordJobEnd(JOB.name, false, at(125));
    expect(await db().jobRun.findMany()).toMatchObject([{ lastEndedAt: at(125), failures: 0 }]);
    await watchAt(126);
    await allReportUntil(190);
    expect(await watchAt(190)).toMatchObject({ ended: 1 });
  });

  it('that no longer exists is nobody’s problem', async () => {
    await allReportUntil(120);
    await db().jobRun.updateMany({ data: { lastEndedAt: at(0) } });
    await watchAt(120);
    await registerJobs([{ name: 'other', everyMs: 60_000 }], at(121));
    await watchAt(130);
    await allReportUntil(200);
    expect(await watchAt(200)).toMatchObject({ ended: 1 });
    expect(await db().jobRun.findMany()).toMatchObject([{ name: 'other' }]);
  });
});

describe('[INC-4.1] a queue that only grows', () => {
  it('becomes a problem after a quarter of an hour, and ends when it is worked off', async () => {
    const cast = await makeCast();
    const [chainless] = await db().$queryRaw<{ count: number }[]>(
      Prisma.sql`select count(*)::int as count from signal_source where organization_id = ${cast.alice.organizationId}::uuid`,
    );
    expect(chainless?.count).toBe(0);
    const source = await db().signalSource.create({
      data: {
        organizationId: cast.alice.organizationId,
        projectId: cast.projectId,
        kind: 'generic',
        name: 'x',
        tokenHash: 'x',
        tokenHint: 'x',
        signingSecretsSealed: [],
        mapping: {},
        staleSeconds: 60,
      },
    });
    let opened = 0;
    for (let minute = 0; minute <= 16; minute++) {
      const data = Array.from({ length: 5 }, () => ({
        organizationId: source.organizationId,
        sourceId: source.id,
        state: 'received',
        bodyBytes: 1,
        headers: {},
        nextAttemptAt: at(minute * 60),
        receivedAt: at(minute * 60),
      }));
      await db().signalRequest.createMany({ data });
      await allReportUntil(minute * 60);
      opened += (await watchAt(minute * 60)).opened;
      if (minute < 10) expect(opened).toBe(0);
    }
    expect(opened).toBe(1);
    expect(await open()).toMatchObject([
      { component: 'queue', kind: 'growing', subject: 'alerts', figures: { waiting: 85 } },
    ]);
    await db().signalRequest.deleteMany();
    for (const seconds of [1_000, 1_065]) {
      await allReportUntil(seconds);
      await watchAt(seconds);
    }
    expect(await open()).toEqual([]);
  });

  it('keeps samples for an hour', async () => {
    await watchAt(0);
    await watchAt(20);
    const names = new Set((await db().queueSample.findMany()).map(({ queue }) => queue));
    expect(await db().queueSample.count()).toBe(names.size);
    await watchAt(3_700);
    expect(await db().queueSample.count({ where: { at: at(0) } })).toBe(0);
  });
});

describe('[INC-4.1] hosts of organizations', () => {
  it('that are offline, have a wrong clock or lack results are counted, and not named', async () => {
    const cast = await makeCast({}, at(0));
    const { organizationId } = cast.alice;
    await db().runner.updateMany({ data: { lastSeenAt: at(3_600) } });
    await db().runner.updateMany({
      where: { organizationId },
      data: { lastSeenAt: at(3_500), clockSkewMs: 0 },
    });
    await allReportUntil(3_600);
    await watchAt(3_600);
    const offline = await open();
    expect(offline).toMatchObject([
      { component: 'runner', kind: 'offline', figures: { broken: 1 } },
    ]);
    expect(JSON.stringify(offline)).not.toContain('runner-1');
    // An admin of another organization reads the page of the system.
    expect(await listSharedProblems(at(3_600))).toEqual([]);

    await db().runner.updateMany({
      where: { organizationId },
      data: { lastSeenAt: at(3_700), clockSkewMs: -90_000 },
    });
    await allReportUntil(3_700);
    await watchAt(3_700);
    expect((await open()).map(({ kind }) => kind)).toContain('clock_off');
    await inTransaction(cast.alice, (own) =>
      own.runner.updateMany({ data: { pausedAt: at(3_700) } }),
    );
    for (const seconds of [3_710, 3_800]) {
      await allReportUntil(seconds);
      await db().runner.updateMany({
        where: { organizationId: { not: organizationId } },
        data: { lastSeenAt: at(seconds) },
      });
      await watchAt(seconds);
    }
    expect(await open()).toEqual([]);
  });
});

describe('[INC-4.1] checks of a runner that is online', () => {
  it('lack results once three are missing, and not because they are new', async () => {
    const monitoring = { everySeconds: 60, failures: 2, lastResults: 3 };
    const cast = await makeCast({ monitoring }, at(0));
    const { organizationId } = cast.alice;
    const watchAll = async (seconds: number) => {
      await allReportUntil(seconds);
      await db().runner.updateMany({ data: { lastSeenAt: at(seconds), clockSkewMs: 0 } });
      await watchAt(seconds);
      return open();
    };
    await assignCheckers(at(0));
    onTestFinished(async () => {
      await db().checker.updateMany({ where: { organizationId }, data: { isOn: false } });
    });
    const last = { lastAt: at(3_600), lastStatus: 'healthy' };
    await db().serviceCheck.updateMany({ where: { organizationId }, data: last });

    const { services } = testConfig();
    const added = {
      name: 'cache',
      checks: [{ type: 'tcp' as const, target: '127.0.0.1:6379', timeoutSeconds: 5 }],
    };
    await saveConfig(cast, { monitoring, services: [...services, added] });
    await assignCheckers(at(3_600));
    await runSql(
      database.superuserUrl,
      `update project_version set created_at = '${at(3_600).toISOString()}'`,
    );
    expect(await watchAll(3_615)).toEqual([]);
    expect(await watchAll(3_839)).toEqual([]);
    expect(await watchAll(3_841)).toMatchObject([
      { component: 'check', kind: 'overdue', figures: { broken: 3, expected: 3 } },
    ]);
  });
});

describe('[INC-4.1] the message to the operator', () => {
  it('is sent again when the mail server was away, and is one in the end', async () => {
    await watchAt(70);
    mail.refused.add(OPERATOR);
    expect(await notifyOperator(at(71))).toBe(0);
    mail.refused.clear();
    expect(await notifyOperator(at(80))).toBe(1);
    expect(await notifyOperator(at(140))).toBe(1);
    expect(await notifyOperator(at(300))).toBe(0);
  });

  it('is sent however often the mail server was away before', async () => {
    await recordPresence(RUNNER_API, 3_600, at(70));
    expect(await watchAt(70)).toMatchObject({ opened: 1 });
    const away = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'tierwatch@example.com' });
    for (const seconds of [71, 140, 210, 280]) {
      expect(await notifyOperator(at(seconds), away)).toBe(0);
    }
    expect(await notifyOperator(at(350))).toBe(1);
  });

  it('is one for a problem that was over before it could be sent', async () => {
    await watchAt(70);
    await allReportUntil(80);
    await watchAt(81);
    await allReportUntil(150);
    await watchAt(150);
    expect(await notifyOperator(at(151))).toBe(2);
    expect(subjectsOf(mail).toSorted()).toEqual([
      '[Tierwatch] Resolved: No web process reports',
      '[Tierwatch] Resolved: No worker reports',
    ]);
    expect(await notifyOperator(at(400))).toBe(0);
  });

  it('is repeated once, under the same Message-ID, if the mail server takes it and never says so', async () => {
    const server = await startSmtpServer({ silentAfter: '.' });
    try {
      await recordPresence(RUNNER_API, 3_600, at(70));
      expect(await watchAt(70)).toMatchObject({ opened: 1 });
      const mailer = createMailer({ smtpUrl: server.url(), from: FROM, timeoutMs: 200 });
      for (const seconds of [71, 140, 210, 280]) {
        expect(await notifyOperator(at(seconds), mailer)).toBe(0);
      }
      expect(await notifyOperator(at(350))).toBe(0);
      const ids = server.lines.filter((line) => line.startsWith('Message-ID:'));
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
      // The end is another message, and says what the problem was.
      await allReportUntil(360);
      await watchAt(360);
      await allReportUntil(430);
      expect(await watchAt(430)).toMatchObject({ ended: 1 });
      expect(await notifyOperator(at(431))).toBe(1);
      expect(mail.received[0]?.source).toContain('over@');
    } finally {
      server.close();
    }
  });

  it('is repeated once if processes die while they send it', async () => {
    await recordPresence(RUNNER_API, 3_600, at(70));
    await watchAt(70);
    const dying: Mailer = { send: () => Promise.reject(new Error('killed')) };
    for (const seconds of [71, 140]) {
      await expect(notifyOperator(at(seconds), dying)).rejects.toThrow('killed');
    }
    expect(await notifyOperator(at(210))).toBe(0);
  });

  it('is given up when the mail server takes forever, and isn’t claimed by others until then', async () => {
    await recordPresence(RUNNER_API, 3_600, at(70));
    await watchAt(70);
    let begun = 0;
    const stuck: Mailer = {
      send: () => {
        begun += 1;
        return new Promise(() => {});
      },
    };
    const sending = notifyOperator(at(71), stuck, 500);
    await expect.poll(() => begun).toBe(1);
    expect(await notifyOperator(at(72))).toBe(0);
    expect(await sending).toBe(0);
    expect(await notifyOperator(at(140))).toBe(1);
  });

  it('doesn’t hold up the watching while the mail server hangs', async () => {
    const server = await startSmtpServer({ silentAfter: '.' });
    Object.assign(env(), { smtpUrl: server.url() });
    const now = new Date();
    await db().installationProblem.create({
      data: {
        ...{ id: randomUUID(), component: 'worker', kind: 'not_reporting', subject: '' },
        ...{ figures: {}, since: now, openedAt: now, seenAt: now },
      },
    });
    const end = startWatch('web', 20);
    try {
      await expect.poll(() => server.lines.includes('.'), { timeout: 5_000 }).toBe(true);
      await expect.poll(() => db().queueSample.count(), { timeout: 5_000 }).toBeGreaterThan(0);
      await db().queueSample.deleteMany();
      // What is sampled by each watch is there again although the message still hangs.
      await expect.poll(() => db().queueSample.count(), { timeout: 5_000 }).toBeGreaterThan(0);
      expect(server.lines.filter((line) => line === '.')).toHaveLength(1);
    } finally {
      end();
      Object.assign(env(), { smtpUrl: mail.url });
      server.close();
    }
  });

  it('isn’t sent without an address', async () => {
    Object.assign(env(), { operatorEmail: null });
    await watchAt(70);
    expect(await notifyOperator(at(71))).toBe(0);
    Object.assign(env(), { operatorEmail: OPERATOR });
    expect(mail.received).toEqual([]);
  });
});

describe('[INC-4.1] GET /api/health', () => {
  const ask = async () => {
    const response = await GET(new Request('http://127.0.0.1/api/health'), {
      params: Promise.resolve({}),
    });
    return { status: response.status, body: await response.json() };
  };
  const askWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request('http://127.0.0.1/api/health', { headers });
    const response = await GET(request, { params: Promise.resolve({}) });
    return response.json();
  };

  it('says to anyone whether there are problems, and only to the operator which', async () => {
    expect(await ask()).toEqual({ status: 200, body: { status: 'ok' } });
    await watchAt(70);
    expect(await ask()).toEqual({ status: 503, body: { status: 'problems' } });
    Object.assign(env().metrics, { token: 'sixteen-characters' });
    try {
      expect(await askWith('another-token-here')).toEqual({ status: 'problems' });
      const { problems } = await askWith('sixteen-characters');
      expect(problems.map(({ title }: { title: string }) => title).toSorted()).toEqual([
        'No web process reports',
        'No worker reports',
      ]);
    } finally {
      Object.assign(env().metrics, { token: null });
    }
  });

  it('answers while PostgreSQL hangs, and takes one connection for it', async () => {
    await db().$transaction(async (other) => {
      await other.$executeRaw`lock table installation_problem in access exclusive mode`;
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify({ status: 503, body: { status: 'unknown' } })]),
      );
      const [{ waiting } = { waiting: 0 }] = await other.$queryRaw<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_locks
        where relation = 'installation_problem'::regclass and not granted`;
      expect(waiting).toBe(1);
    });
    await expect.poll(ask).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

it('[INC-4.1] problems that ended are deleted after 400 days', async () => {
  await watchAt(70);
  await db().installationProblem.updateMany({ data: { until: at(100) } });
  expect(await pruneProblems(at(399 * 86_400))).toBe(0);
  expect(await pruneProblems(at(401 * 86_400))).toBe(2);
});
