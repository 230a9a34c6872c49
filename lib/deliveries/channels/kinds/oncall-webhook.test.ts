import { describe, expect, it } from 'vitest';
import { describeKind, requestOf } from '@/tests/support/describe-kind';
import { alertMessage, CHECKOUT_DOWN } from '@/tests/support/signals/alerts';
import type { Message } from '../../message';
import { tierwatchBody } from './oncall-webhook';

const occurredAt = '2026-11-23T09:00:12.431Z';
const bodyOf = (message: Message, type = 'incident.opened') =>
  tierwatchBody(message, { id: 'dlv_1', type, occurredAt });

const url = 'https://oncall.example/hooks/secret?key=secret';
const kept = { url, shape: 'tierwatch', routingKey: null, headers: [] };
const header = (name: string, value = 'x') => ({ url, headers: [{ name, value }] });

describeKind('oncall_webhook', {
  accepted: [
    [{ url }, kept],
    [
      header('Authorization', ' Bearer x '),
      { ...kept, headers: [{ name: 'Authorization', value: 'Bearer x' }] },
    ],
  ],
  refused: [
    [{ url: 'https://127.0.0.1/x' }, 'url', 'private address'],
    [{ url, routingKey: 'a b' }, 'routingKey', 'no spaces'],
    [
      {
        url,
        headers: [
          { name: 'a', value: 'x' },
          { name: 'A', value: 'y' },
        ],
      },
      'headers',
      'twice',
    ],
    [
      { url, headers: Array.from({ length: 11 }, (_, n) => ({ name: `x-${n}`, value: 'x' })) },
      'headers',
      'at most 10',
    ],
    ...[
      ...['Webhook-Signature', 'content-type', 'Content-Length', 'Host', 'Connection'],
      ...['Transfer-Encoding', 'User-Agent', 'Expect'],
    ].map((name) => [header(name), 'headers.0.name', 'sets this header itself'] as const),
    [header('X Y'), 'headers.0.name', 'letters, digits'],
    [header('X-Key', 'a\r\nHost: b'), 'headers.0.value', 'on one line'],
    [header('X-Key', ''), 'headers.0.value', '1 to 2,000'],
    [header('X-Key', 'é'), 'headers.0.value', 'ASCII'],
  ],
  shown: [
    [kept, 'oncall.example/•••• (Tierwatch JSON)'],
    [{ ...kept, shape: 'events_v2' }, 'oncall.example/•••• (Events v2 JSON)'],
  ],
  entered: [
    [
      {
        url,
        routingKey: 'of another choice',
        headers: 'Authorization: Bearer a:b\n\n X-Team :sre',
      },
      {
        ...kept,
        headers: [
          { name: 'Authorization', value: 'Bearer a:b' },
          { name: 'X-Team', value: 'sre' },
        ],
      },
    ],
    [
      { url, shape: 'events_v2', routingKey: 'key' },
      { ...kept, shape: 'events_v2', routingKey: 'key' },
    ],
  ],
  alertsOnly: [{ url, shape: 'events_v2' }],
  notices: [{ url }],
});

const notice: Message = {
  title: 'Acme: runner eu-1 is offline',
  lines: ['It stopped.', 'Check its host.'],
  link: { url: 'https://ops.example/acme/runners/rnr_1', label: 'Open the runner' },
  tone: 'failure',
};

describe('[INC-2.2] the body for an on-call webhook', () => {
  it('has every field of an incident', () => {
    const project = { name: 'Payments', slug: 'payments' };
    const message = alertMessage({ project, needsHuman: true, sequence: 7 });
    expect(bodyOf(message)).toEqual({
      id: 'dlv_1',
      type: 'incident.opened',
      occurred_at: occurredAt,
      sequence: 7,
      dedup_key: 'tierwatch/inc_01JCHECKOUT',
      status: 'firing',
      title: 'checkout is down',
      description: 'http check failed 3 of 3 (503)',
      severity: 'critical',
      project,
      services: ['checkout'],
      started_at: '2026-11-23T08:58:42.000Z',
      resolved_at: null,
      url: CHECKOUT_DOWN.url,
      needs_human: true,
      links: [{ href: CHECKOUT_DOWN.url, text: 'Open incident' }],
    });
  });

  it('of a notice has no dedup key and no status', () => {
    expect(bodyOf(notice, 'runner.offline')).toEqual({
      id: 'dlv_1',
      type: 'runner.offline',
      occurred_at: occurredAt,
      sequence: null,
      dedup_key: null,
      status: null,
      title: 'Acme: runner eu-1 is offline',
      description: 'It stopped.\n\nCheck its host.',
      severity: 'error',
      project: null,
      services: [],
      started_at: null,
      resolved_at: null,
      url: 'https://ops.example/acme/runners/rnr_1',
      needs_human: false,
      links: [{ href: 'https://ops.example/acme/runners/rnr_1', text: 'Open the runner' }],
    });
  });

  it('can have the shape of the Events API v2, with and without a routing key', async () => {
    const message = alertMessage({ status: 'resolved' });
    const event = { event_action: 'resolve', dedup_key: 'tierwatch/inc_01JCHECKOUT' };
    const sent = (routingKey: string | null, about = message) =>
      requestOf({ kind: 'oncall_webhook', ...kept, shape: 'events_v2', routingKey }, about);
    expect(JSON.parse((await sent(null)).body)).toEqual(event);
    expect(JSON.parse((await sent('k')).body)).toEqual({ ...event, routing_key: 'k' });
    await expect(sent(null, notice)).rejects.toThrow('alerts only');
  });

  it('is sent with the headers that were entered, and with those that sign it', async () => {
    const settings = { ...kept, headers: [{ name: 'X-Key', value: 'secret' }] };
    const { headers, logged } = await requestOf({ kind: 'oncall_webhook', ...settings }, notice);
    expect(headers).toMatchObject({ 'x-key': 'secret', 'webhook-signature': 'signed' });
    expect(logged).toMatchObject({ 'x-key': '••••', 'webhook-signature': 'signed' });
  });

  it('stays below the 512 KB that receivers accept, without hidden characters', () => {
    const message = alertMessage({
      title: `a\u202e${'t'.repeat(5_000)}`,
      description: '\u0007é'.repeat(600_000),
      services: Array.from({ length: 5_000 }, () => 'service'),
    });
    const text = JSON.stringify(bodyOf(message));
    expect(Buffer.byteLength(text)).toBeLessThan(512_000);
    expect(text).not.toMatch(/\u202e|\\u0007/);
  });
});
