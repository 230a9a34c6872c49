/** Who is notified of an incident until someone works on it, on a clock that the test moves. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateChannel } from '@/lib/deliveries/channels/manage-channels';
import { deliver } from '@/lib/deliveries/deliver';
import {
  acknowledgeIncident,
  endIncidentAcknowledgement,
  resolveIncident,
} from '@/lib/incidents/manage-incidents';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { getIncident, listIncidents } from '@/lib/insight/incidents/list-incidents';
import { advancePaging } from '@/lib/paging/advance-paging';
import { createPolicy, deletePolicy, getPolicy, updatePolicy } from '@/lib/paging/manage-policies';
import { readDueCalendars } from '@/lib/paging/read-calendars';
import { getIncidentPaging } from '@/lib/paging/read-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { runSql, useTestDatabase } from '@/tests/support/database';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import {
  addChat,
  type PagingWatch,
  startPagedOutage,
  startPaging,
} from '../incidents/support/paging';
import { sendersFor } from '../notifications/support';

const database = useTestDatabase();

/** A worker that dies between what it has decided and the message. */
const FAIL_TO_WRITE = `
  create function fail_to_write() returns trigger language plpgsql as
    $$ begin raise exception 'killed'; end $$;
  create trigger fail_to_write before insert on webhook_delivery for each row
    when (new.event_type = 'incident.paged') execute function fail_to_write()`;
beforeAll(() => {
  process.env.TIERWATCH_ALLOW_PRIVATE_TARGETS = 'true';
});

const DOWN = { web: 'down' } as const;
const WARN = { web: 'degraded' } as const;

/** An incident that was opened at 00:03. */
async function outage(setUp?: (of: PagingWatch) => unknown) {
  if (!setUp) return startPagedOutage();
  const of = await startPaging();
  await setUp(of);
  await of.pass(1);
  await of.pass(2, DOWN);
  return of;
}

async function incidentId({ cast }: PagingWatch): Promise<string> {
  const { data } = await listIncidents(cast.alice, { limit: 10 });
  return data[0]?.id ?? '';
}

const runs = ({ cast }: PagingWatch) => inTransaction(cast.alice, (db) => db.pagingRun.findMany());
const deliveriesOf = ({ cast }: PagingWatch, eventType: string) =>
  inTransaction(cast.alice, (db) => db.webhookDelivery.findMany({ where: { eventType } }));
const paged = (of: PagingWatch) => deliveriesOf(of, 'incident.paged');
const unreachedReports = (of: PagingWatch) => deliveriesOf(of, 'paging_unreached');

describe('[INC-2.2] paging', () => {
  it('sends exactly its steps and repeats to an incident that nobody works on, and then nothing', async () => {
    const of = await outage();
    await of.pass(120, DOWN);
    expect(await of.steps()).toEqual([
      '00:08 Slack: step 1 of 2',
      '00:18 Ana: step 2 of 2',
      '00:18 Slack: step 2 of 2',
      '00:38 Ana: repeat 1 of step 2',
      '00:38 Slack: repeat 1 of step 2',
      '00:58 Ana: repeat 2 of step 2',
      '00:58 Slack: repeat 2 of step 2',
    ]);
    // The channel that is subscribed to incidents gets what it got without a policy.
    expect((await of.messages()).filter((title) => !title.includes('paging'))).toEqual([
      'Checkout: web, Incident #1 opened',
      'Checkout: web, Incident #1 needs a human',
    ]);
  });

  it('sends nothing without a policy, nor for another project’s', async () => {
    const of = await outage(({ setPolicy }) => setPolicy({ projectIds: [] }));
    await of.pass(60, DOWN);
    expect(await of.steps()).toEqual([]);
    expect(await of.messages()).toHaveLength(2);
    expect(await getIncidentPaging(of.cast.alice, await incidentId(of))).toBeNull();
  });

  it('stops while someone has acknowledged it, and continues when that ends', async () => {
    const of = await outage();
    await of.pass(6, DOWN);
    const id = await incidentId(of);
    await acknowledgeIncident(of.cast.alice, id, { note: '' }, of.now());
    await of.pass(60, DOWN);
    expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
    await endIncidentAcknowledgement(of.cast.alice, id, of.now());
    // Nine of the fifteen minutes are left.
    await of.pass(9, DOWN);
    expect(await of.steps()).toHaveLength(1);
    await of.pass(1, DOWN);
    expect((await of.steps()).slice(1)).toEqual([
      '01:19 Ana: step 2 of 2',
      '01:19 Slack: step 2 of 2',
    ]);
  });

  it('doesn’t send a step whose message is still waiting when someone acknowledges', async () => {
    const receiver = await startWebhookReceiver();
    const of = await outage(async (watch) => {
      const chat = await addChat(watch, receiver, {
        outcomes: [],
        eventTypes: ['chain.started'],
      });
      await watch.setPolicy({
        steps: [
          { afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [chat.channel.id] },
        ],
      });
      Object.assign(watch, { chat });
    });
    await of.pass(5, DOWN);
    await acknowledgeIncident(of.cast.alice, await incidentId(of), { note: '' }, of.now());
    const { chat } = of as unknown as { chat: Awaited<ReturnType<typeof addChat>> };
    await chat.send();
    expect(await of.steps()).toHaveLength(1);
    expect(chat.arrived()).toEqual([]);
    await receiver.close();
  });

  it('ends when the incident is resolved, and begins again at the first step when it is reopened', async () => {
    const of = await outage();
    await of.pass(6, DOWN);
    await resolveIncident(of.cast.alice, await incidentId(of), { note: '' }, of.now());
    await of.pass(3);
    await of.pass(2, DOWN);
    const reopened = of.clock();
    await of.pass(6, DOWN);
    expect(reopened).toBe('00:14');
    expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2', '00:19 Slack: step 1 of 2']);
  });

  it('waits while services are well again', async () => {
    const of = await outage();
    await of.pass(1, DOWN);
    await of.pass(8);
    expect(await of.incidents()).toMatchObject([{ state: 'verifying' }]);
    expect(await of.steps()).toEqual([]);
  });

  it('waits while its services are snoozed', async () => {
    const of = await outage();
    const until = new Date(of.now().getTime() + 30 * 60_000);
    await inTransaction(of.cast.alice, (db) =>
      db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil: until } }),
    );
    await of.pass(29, DOWN);
    expect(await of.steps()).toEqual([]);
    await of.pass(12, DOWN);
    expect(await of.steps()).toEqual([
      '00:33 Slack: step 1 of 2',
      '00:43 Ana: step 2 of 2',
      '00:43 Slack: step 2 of 2',
    ]);
  });

  it('waits while a maintenance window is open', async () => {
    const of = await startPaging({
      maintenance: [
        {
          ...{ name: 'Upgrade', effect: 'no_cycles', timeZone: 'UTC' },
          when: { kind: 'once', startsAt: '2026-11-26T00:05', endsAt: '2026-11-26T00:30' },
        },
      ],
    });
    await of.setPolicy();
    await of.pass(1);
    await of.pass(28, DOWN);
    expect(await of.steps()).toEqual([]);
    await of.pass(2, DOWN);
    expect(await of.steps()).toEqual(['00:30 Slack: step 1 of 2']);
  });

  it('sends one step after the control plane was away for an hour, and shows the one it skipped', async () => {
    const of = await outage();
    const later = new Date(of.now().getTime() + 3_600_000);
    await advancePaging(later);
    await advancePaging(later);
    expect(await of.steps()).toEqual([
      '01:03 Ana: repeat 2 of step 2',
      '01:03 Slack: repeat 2 of step 2',
    ]);
    const shown = await getIncidentPaging(of.cast.alice, await incidentId(of));
    expect(shown?.steps.map(({ number, recipients }) => [number, recipients !== null])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ]);
    expect(shown?.next).toBeNull();
  });

  it('sends a step once from two workers, and after a worker that ended before it was enqueued', async () => {
    const receiver = await startWebhookReceiver();
    const of = await startPaging();
    const chat = await addChat(of, receiver, { outcomes: [], eventTypes: ['chain.started'] });
    await of.setPolicy({
      steps: [{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [chat.channel.id] }],
      repeatTimes: 0,
    });
    await of.pass(1);
    await of.pass(2, DOWN);
    await of.minutes(5, DOWN);
    await Promise.all([advancePaging(of.now()), advancePaging(of.now())]);
    expect(await of.steps()).toEqual(['00:08 Chat: step 1 of 1']);
    // Nothing was enqueued by them; the sweep finds the row.
    await chat.send();
    await chat.send();
    expect(chat.arrived()).toEqual([
      'Checkout: web, Incident #1 needs a human (paging step 1 of 1)',
    ]);
    await receiver.close();
  });

  it('leaves nothing behind when its messages can’t be written, and sends the step afterwards', async () => {
    const of = await outage();
    await of.minutes(5, DOWN);
    await runSql(database.ownerUrl, FAIL_TO_WRITE);
    await advancePaging(of.now());
    const id = await incidentId(of);
    expect((await getIncidentPaging(of.cast.alice, id))?.steps).toEqual([]);
    await runSql(database.ownerUrl, 'drop trigger fail_to_write on webhook_delivery');
    await advancePaging(new Date(of.now().getTime() + 15_000));
    expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
    expect((await getIncidentPaging(of.cast.alice, id))?.steps).toHaveLength(1);
  });

  it('doesn’t repeat the opening to a channel that has just received it', async () => {
    const of = await startPaging();
    const { id } = await inTransaction(of.cast.alice, (db) =>
      db.notificationChannel.findFirstOrThrow({ where: { name: 'Pager' } }),
    );
    const both = [encodeId('ntc', id), of.ana.id];
    await of.setPolicy({
      steps: [{ afterMinutes: 0, calendarId: null, memberIds: [], channelIds: both }],
    });
    await of.pass(1);
    await of.pass(3, DOWN);
    expect(await of.steps()).toEqual(['00:03 Ana: step 1 of 1']);
    const shown = await getIncidentPaging(of.cast.alice, await incidentId(of));
    expect(shown?.steps[0]?.recipients?.channels).toEqual([
      { name: 'Ana', result: 'sent' },
      { name: 'Pager', result: 'announced' },
    ]);
  });

  it('keeps the steps of an incident whose policy is deleted meanwhile', async () => {
    const of = await startPaging();
    const policy = await of.setPolicy();
    await of.pass(1);
    await of.pass(2, DOWN);
    await deletePolicy(of.cast.alice, policy.id);
    await of.pass(6, DOWN);
    expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
  });
});

describe('[INC-2.2] a step with a calendar', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    Object.assign(env(), { smtpUrl: 'smtp://127.0.0.1:1' });
    return async () => {
      Object.assign(env(), { smtpUrl: null });
      await receiver.close();
    };
  });
  const http = createOutboundClient({ allowPrivate: true });
  const shift = (from: string, to: string, attendee: string) =>
    [
      ...['BEGIN:VEVENT', `UID:${from}`, `DTSTART:20261126T${from}00Z`, `DTEND:20261126T${to}00Z`],
      ...[`ATTENDEE:mailto:${attendee}`, 'SUMMARY:On call', 'END:VEVENT'],
    ].join('\r\n');
  const answer = (status: number, ...events: string[]) =>
    receiver.answerWith({
      status,
      body: ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Primary', ...events, 'END:VCALENDAR'].join('\r\n'),
    });

  /** An incident whose two steps ask the calendar, at 00:08 and 00:18. */
  async function calledByCalendar(channelIds: (of: PagingWatch) => string[]) {
    const of = await startPaging();
    const steps = (of: PagingWatch, calendar: { calendarUrl: string } | { calendarId: string }) =>
      [5, 15].map((afterMinutes) => ({
        ...{ afterMinutes, calendarId: null, memberIds: [], channelIds: channelIds(of) },
        ...calendar,
      }));
    const policyOf = (all: ReturnType<typeof steps>) => ({
      ...{ name: 'Nights', steps: all, repeatTimes: 0, repeatMinutes: 30 },
      projectIds: [of.cast.projectSlug],
    });
    const address = { calendarUrl: `${receiver.url}?secret=abc` };
    const first = policyOf(steps(of, address).slice(0, 1));
    const policy = await createPolicy(of.cast.alice, first, of.now());
    const calendarId = policy.steps[0]?.calendarId ?? '';
    await updatePolicy(of.cast.alice, policy.id, policyOf(steps(of, { calendarId })));
    const shown = async () =>
      (await getIncidentPaging(of.cast.alice, await incidentId(of)))?.steps.map(
        ({ recipients }) => recipients,
      );
    const calendar = async () =>
      (await getPolicy(of.cast.alice, policy.id, of.now())).steps[0]?.calendar;
    return { of, shown, calendar };
  }
  const emailOf = ({ cast }: PagingWatch) => cast.alice.actor.label;
  const mailOf = async (of: PagingWatch) => (await paged(of)).flatMap(({ mailTo }) => mailTo);

  it('sends an e-mail to whoever is on call, and notifies its channels in a gap', async () => {
    const {
      of,
      shown,
      calendar: shownCalendar,
    } = await calledByCalendar(({ slack }) => [slack.id]);
    answer(200, shift('0000', '0010', emailOf(of)));
    await readDueCalendars(of.now(), http);
    expect(await shownCalendar()).toMatchObject({ onCall: ['Alice'], failure: null });
    await of.pass(1);
    await of.pass(20, DOWN);
    expect(await mailOf(of)).toEqual([emailOf(of)]);
    expect(await of.steps()).toEqual(['00:08 undefined: step 1 of 2', '00:18 Slack: step 2 of 2']);
    expect(await shown()).toMatchObject([
      { onCall: ['Alice'], members: [{ name: 'Alice', result: 'sent' }], channels: [] },
      { onCall: [], members: [], channels: [{ name: 'Slack', result: 'sent' }] },
    ]);
    const { timeline } = await getIncident(of.cast.alice, await incidentId(of));
    expect(timeline.map(({ text }) => text).join()).toContain(emailOf(of));
  });

  it('sends no e-mail that is still waiting when someone acknowledges', async () => {
    const { of } = await calledByCalendar(() => []);
    answer(200, shift('0000', '0100', emailOf(of)));
    await readDueCalendars(of.now(), http);
    await of.pass(1);
    await of.pass(7, DOWN);
    const [mail] = await paged(of);
    await acknowledgeIncident(of.cast.alice, await incidentId(of), { note: '' }, of.now());
    await deliver(of.cast.alice, mail?.id ?? '', of.now(), sendersFor(null));
    expect((await paged(of)).map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('notifies its channels for somebody who isn’t a member, and says so', async () => {
    const { of, shown } = await calledByCalendar(({ slack }) => [slack.id]);
    answer(200, shift('0000', '0100', 'ops@elsewhere.example'));
    await readDueCalendars(of.now(), http);
    await of.pass(1);
    await of.pass(8, DOWN);
    expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
    expect(await shown()).toMatchObject([{ unknown: ['ops@elsewhere.example'], onCall: [] }]);
    expect((await paged(of))[0]?.body).toContain(
      'The calendar Primary names ops@elsewhere.example, who isn’t a member.',
    );
  });

  it('reaches nobody while the calendar can’t be read, so the admins are notified', async () => {
    const { of, shown, calendar: shownCalendar } = await calledByCalendar(() => []);
    answer(500);
    await readDueCalendars(of.now(), http);
    const since = of.clock();
    expect(await shownCalendar()).toMatchObject({
      failure: `couldn’t be read since ${since} UTC: HTTP 500`,
    });
    await of.pass(1);
    await of.pass(8, DOWN);
    expect(await paged(of)).toEqual([]);
    expect(await shown()).toMatchObject([
      { failure: { reason: 'status', status: 500 }, reportedTo: null },
      { failure: { reason: 'status', status: 500 }, reportedTo: 'admins' },
    ]);
    const [report] = await unreachedReports(of);
    expect(report?.body).toContain(
      `Step 1 of 2 reached nobody: the calendar 127.0.0.1:${receiver.port} couldn’t be read since ${since} UTC: HTTP 500.`,
    );
  });

  it('is read again after a minute, keeps since when it fails, and knows again once it is read', async () => {
    const { of, calendar: shownCalendar } = await calledByCalendar(() => []);
    answer(500);
    answer(404);
    answer(200, shift('0000', '2300', emailOf(of)));
    const begin = of.now();
    const later = (seconds: number) => new Date(begin.getTime() + seconds * 1_000);
    /** How often the address was requested by then: calendars of other tests are due, too. */
    const requests = async (seconds: number) => {
      await readDueCalendars(later(seconds), http);
      return receiver.received.length;
    };
    expect([await requests(0), await requests(59), await requests(60)]).toEqual([1, 1, 2]);
    expect(receiver.received[0]).toMatchObject({ method: 'GET', path: '/hook?secret=abc' });
    expect(await shownCalendar()).toMatchObject({
      failure: `couldn’t be read since ${of.clock()} UTC: HTTP 404`,
    });
    expect([await requests(120), await requests(419)]).toEqual([3, 3]);
    expect(await shownCalendar()).toMatchObject({
      ...{ failure: null, readAt: later(120).toISOString() },
    });
  });
});

describe('[INC-2.2] a run that fails', () => {
  it('is put off, longer each time, while others are sent', async () => {
    const of = await outage();
    await of.minutes(5, DOWN);
    const failing = await incidentId(of);
    const [row] = await runs(of);
    await inTransaction(of.cast.alice, (db) =>
      db.pagingRun.updateMany({ data: { plan: { steps: 'broken' } } }),
    );
    const lookedAt = [];
    for (let second = 0; second <= 120; second += 5) {
      await advancePaging(new Date(of.now().getTime() + second * 1_000));
      const [after] = await runs(of);
      if (after?.tries !== lookedAt.length) lookedAt.push(second);
    }
    expect(lookedAt).toEqual([0, 15, 45, 105]);

    const other = await outage();
    await other.minutes(5, DOWN);
    await advancePaging(other.now());
    expect(await other.steps()).toHaveLength(1);

    await inTransaction(of.cast.alice, (db) =>
      db.pagingRun.updateMany({ data: { plan: row?.plan ?? {} } }),
    );
    await advancePaging(new Date(of.now().getTime() + 225_000));
    expect(await of.steps()).toHaveLength(1);
    expect(await runs(of)).toMatchObject([
      { incidentId: expect.anything(), tries: 0, retryAt: null },
    ]);
    expect((await getIncidentPaging(of.cast.alice, failing))?.steps).toHaveLength(1);
  });
});

describe('[INC-2.2] a step whose channels are off', () => {
  const mute = (of: PagingWatch, ...channels: { id: string }[]) =>
    Promise.all(
      channels.map(({ id }) => updateChannel(of.cast.alice, id, { isMuted: true }, of.now())),
    );
  const shownSteps = async (of: PagingWatch) => {
    const shown = await getIncidentPaging(of.cast.alice, await incidentId(of));
    return shown?.steps.map(({ number, recipients }) => [
      number,
      recipients?.channels.map(({ name, result }) => `${name} ${result}`).join(),
      recipients?.reportedTo,
    ]);
  };

  it('says so, and the next one is sent at once', async () => {
    const of = await outage();
    await mute(of, of.slack);
    await of.pass(5, DOWN);
    expect(await of.steps()).toEqual(['00:08 Ana: step 2 of 2']);
    expect(await shownSteps(of)).toEqual([
      [1, 'Slack muted', null],
      [2, 'Ana sent,Slack muted', null],
    ]);
    const { timeline } = await getIncident(of.cast.alice, await incidentId(of));
    expect(timeline.map(({ text }) => text)).toContain(
      'Paging step 1 reached nobody: Slack is muted.',
    );
    const [sent] = await paged(of);
    expect(sent?.body).toContain('Step 1 of 2 reached nobody: Slack is muted.');
    // Its first repeat keeps its time, and the second step isn't sent again at its own.
    await of.pass(26, DOWN);
    expect(await of.steps()).toEqual(['00:08 Ana: step 2 of 2']);
    await of.pass(4, DOWN);
    expect(await of.steps()).toHaveLength(2);
  });

  it('is reported to the admins once if no other reaches anybody, and its repeats are tried', async () => {
    Object.assign(env(), { smtpUrl: 'smtp://127.0.0.1:1' });
    try {
      const of = await outage();
      await mute(of, of.slack, of.ana);
      await of.pass(5, DOWN);
      expect(await of.steps()).toEqual([]);
      expect(await shownSteps(of)).toEqual([
        [1, 'Slack muted', null],
        [2, 'Slack muted,Ana muted', 'admins'],
      ]);
      await of.pass(30, DOWN);
      const reports = await unreachedReports(of);
      expect(reports).toHaveLength(1);
      expect(reports[0]?.mailTo).toHaveLength(1);
      expect(reports[0]?.body).toContain(
        'Step 2 of 2 reached nobody: Slack is muted, Ana is muted.',
      );
      await updateChannel(of.cast.alice, of.ana.id, { isMuted: false }, of.now());
      await of.pass(20, DOWN);
      expect(await of.steps()).toEqual(['00:58 Ana: repeat 2 of step 2']);
    } finally {
      Object.assign(env(), { smtpUrl: null });
    }
  });

  it('is in the feed, and told to other channels, without a mail server', async () => {
    const of = await outage();
    await mute(of, of.slack, of.ana);
    await of.pass(30, DOWN);
    const [entry, ...others] = await inTransaction(of.cast.alice, (db) =>
      db.projectEvent.findMany({ where: { code: 'PAGING_UNREACHED' } }),
    );
    expect(others).toEqual([]);
    expect(entry?.level).toBe('critical');
    expect((await unreachedReports(of)).every(({ channelId }) => channelId !== null)).toBe(true);
  });
});

describe('[INC-2.2] quiet hours', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    return () => receiver.close();
  });

  const QUIET = {
    timeZone: 'UTC',
    days: ['wed', 'thu'],
    from: '22:00',
    to: '00:30',
  } as const;

  /** A chat that is quiet until 00:30. */
  async function night() {
    const of = await startPaging();
    const chat = await addChat(of, receiver, { quietHours: { ...QUIET, days: [...QUIET.days] } });
    await of.pass(1);
    return {
      of,
      chat,
      pass: (minutes: number, found?: Parameters<typeof of.pass>[1]) =>
        of.minutes(minutes, found, async (now) => {
          await advancePaging(now);
          await chat.send();
        }),
    };
  }

  it('hold a warning until they end, and then send its newest message alone', async () => {
    const { of, chat, pass } = await night();
    await pass(28, WARN);
    expect(of.clock()).toBe('00:29');
    expect(chat.arrived()).toEqual([]);
    await pass(2, WARN);
    expect(chat.arrived()).toEqual(['Checkout: web, Incident #1 needs a human']);
  });

  it('don’t hold a critical incident', async () => {
    const { chat, pass } = await night();
    await pass(3, DOWN);
    expect(chat.arrived()).toEqual([
      'Checkout: web, Incident #1 opened',
      'Checkout: web, Incident #1 needs a human',
    ]);
  });

  it('release a warning that becomes critical', async () => {
    const { chat, pass } = await night();
    await pass(5, WARN);
    await pass(3, DOWN);
    expect(chat.arrived()).toEqual(['Checkout: web, Incident #1 needs a human']);
  });

  it('leave out what was resolved meanwhile, and that it was', async () => {
    const { of, chat, pass } = await night();
    await pass(5, WARN);
    await pass(20);
    expect(await of.incidents()).toMatchObject([{ state: 'resolved' }]);
    await pass(10);
    expect(chat.arrived()).toEqual([]);
  });

  it('that are removed release what they held', async () => {
    const { of, chat, pass } = await night();
    await pass(5, WARN);
    await updateChannel(of.cast.alice, chat.channel.id, { quietHours: null }, of.now());
    await chat.send();
    expect(chat.arrived()).toEqual(['Checkout: web, Incident #1 needs a human']);
  });

  it('use up no attempt', async () => {
    const { of, pass } = await night();
    await pass(5, WARN);
    const rows = await inTransaction(of.cast.alice, (db) =>
      db.webhookDelivery.findMany({
        where: { channel: { name: 'Chat' } },
        orderBy: { id: 'desc' },
        include: { log: true },
      }),
    );
    expect(rows[0]).toMatchObject({
      ...{ status: 'scheduled', attempts: 0, log: [] },
      nextAttemptAt: new Date('2026-11-26T00:30:00.000Z'),
    });
  });
});

it('[INC-2.2] an acknowledgement that expires continues paging after one reminder', async () => {
  const of = await outage();
  const endsAt = new Date(of.now().getTime() + 10 * 60_000);
  await acknowledgeIncident(of.cast.alice, await incidentId(of), { note: '', endsAt }, of.now());
  await of.pass(10, DOWN);
  await advanceIncidents(of.now());
  expect(await of.steps()).toEqual([]);
  await of.pass(6, DOWN);
  expect(await of.steps()).toEqual(['00:18 Slack: step 1 of 2']);
});
