/** An organization in which people are paged, on a clock that the test moves by minutes. */
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import type { CreateChannelInput } from '@/lib/deliveries/channels/schema';
import { deliver } from '@/lib/deliveries/deliver';
import { listDueDeliveries } from '@/lib/deliveries/outbox/sending-data';
import { enqueueDueDeliveries } from '@/lib/deliveries/recover-deliveries';
import { advancePaging } from '@/lib/paging/advance-paging';
import { createPolicy } from '@/lib/paging/manage-policies';
import type { PolicyInput } from '@/lib/paging/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { WebhookReceiver } from '@/tests/support/webhook-receiver/receiver';
import { acceptedBy, bodyOf, settingsOf } from '../../notifications/native-targets';
import { sendersFor } from '../../notifications/support';
import { continueWatch, startWatch, type Watch } from './watching';

type Found = Parameters<Watch['minute']>[0];

/** Makes a channel that only the policy names: it is subscribed to what never happens here. */
export function addPager(
  { cast }: Watch,
  name: string,
  changes: Partial<CreateChannelInput> = {},
): Promise<{ id: string }> {
  return createChannel(cast.alice, {
    name,
    settings: {
      ...{ kind: 'apprise', serverUrl: 'https://apprise.example' },
      ...{ urls: ['slack://a/b'], configKey: null, tags: null },
    },
    outcomes: [],
    eventTypes: ['chain.started'],
    projectId: null,
    ...changes,
  });
}

export async function startPaging(changes: Partial<ProjectConfig> = {}) {
  return pagingOf(
    await continueWatch(`paging ${JSON.stringify(changes)}`, async () => {
      const watch = await startWatch({ startOn: { checkChange: false, alert: false }, ...changes });
      return { watch, slack: await addPager(watch, 'Slack'), ana: await addPager(watch, 'Ana') };
    }),
  );
}

/** An incident of web that was opened at 00:03, and a policy that notifies people of it. */
export async function startPagedOutage() {
  return pagingOf(
    await continueWatch('paged outage', async () => {
      const of = await startPaging();
      await of.setPolicy();
      await of.pass(1);
      await of.pass(2, { web: 'down' });
      return { watch: of, slack: of.slack, ana: of.ana };
    }),
  );
}

type Channel = { id: string };

function pagingOf({ watch, slack, ana }: { watch: Watch; slack: Channel; ana: Channel }) {
  const setPolicy = (input: Partial<PolicyInput> = {}) =>
    createPolicy(watch.cast.alice, {
      name: 'Nights',
      steps: [
        { afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [slack.id] },
        { afterMinutes: 15, calendarId: null, memberIds: [], channelIds: [slack.id, ana.id] },
      ],
      repeatTimes: 2,
      repeatMinutes: 20,
      projectIds: [watch.cast.projectSlug],
      ...input,
    });
  return {
    ...watch,
    slack,
    ana,
    setPolicy,
    /** Passes minutes in which the checks find this, and what is due happens. */
    pass: (minutes: number, found: Found = {}) => watch.minutes(minutes, found, advancePaging),
    /** What paging has written, as `00:08 Ana: step 2 of 2`. */
    async steps(): Promise<string[]> {
      const rows = await inTransaction(watch.cast.alice, (db) =>
        db.webhookDelivery.findMany({
          where: { eventType: 'incident.paged' },
          include: { channel: true },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        }),
      );
      return rows
        .map(({ createdAt, channel, body }) => {
          const [, step] = /\(paging (.*)\)$/.exec(JSON.parse(body).title) ?? [];
          return `${createdAt.toISOString().slice(11, 16)} ${channel?.name}: ${step}`;
        })
        .toSorted();
    },
  };
}
export type PagingWatch = Awaited<ReturnType<typeof startPaging>>;

/** A chat on loopback, and a worker that sends what is due to it. */
export async function addChat(
  watch: Watch,
  receiver: WebhookReceiver,
  changes: Partial<CreateChannelInput> = {},
) {
  const channel = await addPager(watch, 'Chat', {
    settings: settingsOf('slack', receiver),
    outcomes: ['needs_human'],
    eventTypes: [],
    ...changes,
  });
  receiver.answerWith(...Array.from({ length: 50 }, () => acceptedBy('slack')));
  const channelId = requireId('ntc', channel.id);
  /** Only of this channel: earlier tests of the file have left due messages, too. */
  async function listDue(): Promise<string[]> {
    const due = (await listDueDeliveries(watch.now())).map(({ deliveryId }) => deliveryId);
    const own = await inTransaction(watch.cast.alice, (db) =>
      db.webhookDelivery.findMany({
        where: { id: { in: due }, channelId },
        select: { id: true },
      }),
    );
    return due.filter((id) => own.some((one) => one.id === id));
  }
  return {
    channel,
    async send() {
      await enqueueDueDeliveries(watch.now());
      for (let due = await listDue(), round = 0; due.length > 0 && round < 5; round += 1) {
        for (const id of due) await deliver(watch.cast.alice, id, watch.now(), sendersFor(null));
        due = await listDue();
      }
    },
    /** Titles of the messages that arrived. */
    arrived: () =>
      receiver.received.map((request) =>
        String(bodyOf(request).text).replace(/ \((?:critical|warning)\)$/, ''),
      ),
  };
}
