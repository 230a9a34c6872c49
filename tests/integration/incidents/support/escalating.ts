/** An organization whose incidents escalate, on a clock that the test moves by minutes. */
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import type { CreateChannelInput } from '@/lib/deliveries/channels/schema';
import { deliver } from '@/lib/deliveries/deliver';
import { advanceEscalations } from '@/lib/deliveries/escalation/advance-escalations';
import { createPolicy } from '@/lib/deliveries/escalation/manage-policies';
import type { PolicyInput } from '@/lib/deliveries/escalation/schema';
import { listDueDeliveries } from '@/lib/deliveries/outbox/sending-data';
import { enqueueDueDeliveries } from '@/lib/deliveries/recover-deliveries';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { WebhookReceiver } from '@/tests/support/webhook-receiver/receiver';
import { acceptedBy, bodyOf, settingsOf } from '../../notifications/native-targets';
import { sendersFor } from '../../notifications/support';
import { startWatch, type Watch } from './watching';

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

export async function startEscalation(changes: Partial<ProjectConfig> = {}) {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false }, ...changes });
  const [slack, ana] = [await addPager(watch, 'Slack'), await addPager(watch, 'Ana')];
  const setPolicy = (input: Partial<PolicyInput> = {}) =>
    createPolicy(watch.cast.alice, {
      name: 'Nights',
      steps: [
        { afterMinutes: 5, scheduleId: null, channelIds: [slack.id] },
        { afterMinutes: 15, scheduleId: null, channelIds: [slack.id, ana.id] },
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
    async pass(minutes: number, found: Found = {}) {
      for (let passed = 0; passed < minutes; passed += 1) {
        await watch.minute(found);
        await advanceEscalations(watch.now());
      }
    },
    /** What escalations have written, as `00:08 Ana: step 2 of 2`. */
    async steps(): Promise<string[]> {
      const rows = await inTransaction(watch.cast.alice, (db) =>
        db.webhookDelivery.findMany({
          where: { eventType: 'incident.escalated' },
          include: { channel: true },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        }),
      );
      return rows
        .map(({ createdAt, channel, body }) => {
          const [, step] = /\(escalation (.*)\)$/.exec(JSON.parse(body).title) ?? [];
          return `${createdAt.toISOString().slice(11, 16)} ${channel?.name}: ${step}`;
        })
        .toSorted();
    },
  };
}
export type Escalating = Awaited<ReturnType<typeof startEscalation>>;

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
      for (let round = 0; round < 5; round += 1) {
        for (const id of await listDue()) {
          await deliver(watch.cast.alice, id, watch.now(), sendersFor(null));
        }
      }
    },
    /** Titles of the messages that arrived. */
    arrived: () =>
      receiver.received.map((request) =>
        String(bodyOf(request).text).replace(/ \((?:critical|warning)\)$/, ''),
      ),
  };
}
