import { type AlertSubject, DEDUP_PREFIX } from '../alert';
import { type Message, messageOf } from '../message';
import type { WebhookEvent } from '../schema';

export const TEST_EVENT = 'channel.test';
/** Follows the test of an on-call service, so that nothing stays open there. */
export const TEST_END_EVENT = 'channel.test_ended';

interface TestFacts {
  organization: WebhookEvent['data']['organization'];
  /** Of the page with the channels. */
  link: string;
  /** `ntc_…` */
  channelId: string;
  /** Names this one test. */
  test: string;
  alertsOnly: boolean;
  /** ISO 8601. */
  at: string;
}

/** Returns what a test sends, in order: a notice, or an alert and its end. */
export function testMessages(facts: TestFacts): { eventType: string; message: Message }[] {
  const { organization, link, channelId, test, at } = facts;
  const message = messageOf({
    type: 'webhook.test',
    timestamp: at,
    data: {
      organization,
      summary: `This is a test message from Tierwatch for ${organization.name}. No action is needed.`,
      link,
      endpointId: channelId,
    },
  });
  if (!facts.alertsOnly) return [{ eventType: TEST_EVENT, message }];
  const firing: AlertSubject = {
    dedupKey: `${DEDUP_PREFIX}${test}`,
    sequence: 1,
    status: 'firing',
    severity: 'info',
    title: message.title,
    description: message.lines.join('\n'),
    project: null,
    services: [],
    startedAt: at,
    resolvedAt: null,
    url: link,
    needsHuman: false,
  };
  const resolved: AlertSubject = { ...firing, sequence: 2, status: 'resolved', resolvedAt: at };
  return [
    { eventType: TEST_EVENT, message: { ...message, alert: firing } },
    { eventType: TEST_END_EVENT, message: { ...message, alert: resolved } },
  ];
}
