import { describe, expect, it } from 'vitest';
import { alertMessage, CHECKOUT_DOWN } from '@/tests/support/signals/alerts';
import type { Message } from '../message';
import { oncallBody } from './oncall-webhook';

const occurredAt = '2026-11-23T09:00:12.431Z';
const about = (message: Message, type = 'incident.opened') => ({
  id: 'dlv_1',
  type,
  occurredAt,
  message,
});
const plain = { shape: 'tierwatch', routingKey: null } as const;

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
    expect(oncallBody(about(message), plain)).toEqual({
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
    expect(oncallBody(about(notice, 'runner.offline'), plain)).toEqual({
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

  it('can have the shape of the Events API v2, with and without a routing key', () => {
    const message = alertMessage({ status: 'resolved' });
    const event = { event_action: 'resolve', dedup_key: 'tierwatch/inc_01JCHECKOUT' };
    const shape = 'events_v2';
    expect(oncallBody(about(message), { shape, routingKey: null })).toEqual(event);
    expect(oncallBody(about(message), { shape, routingKey: 'k' })).toEqual({
      ...event,
      routing_key: 'k',
    });
    expect(() => oncallBody(about(notice), { shape, routingKey: null })).toThrow('needs an alert');
  });

  it('stays below the 512 KB that receivers accept, without hidden characters', () => {
    const message = alertMessage({
      title: `a\u202e${'t'.repeat(5_000)}`,
      description: '\u0007é'.repeat(600_000),
      services: Array.from({ length: 5_000 }, () => 'service'),
    });
    const text = JSON.stringify(oncallBody(about(message), plain));
    expect(Buffer.byteLength(text)).toBeLessThan(512_000);
    expect(text).not.toMatch(/\u202e|\\u0007/);
  });
});
