import { describe, expect, it } from 'vitest';
import {
  isPermanentFailure,
  type OutboundFailureReason,
  type OutboundResult,
} from '@/lib/platform/outbound-http/result';
import { ATTEMPT_DELAYS_SECONDS, decideDelivery as decide, MAX_ATTEMPTS } from './retry-policy';
import { httpSendResult } from './transport';

const now = new Date('2026-11-21T14:00:00Z');
const healthy = { failingSince: null };
const day = 86_400_000;

function answer(status: number, headers: Record<string, string> = {}): OutboundResult {
  const body = { bodyText: '', isBodyTruncated: false };
  return { ok: true, status, headers, ...body, durationMs: 10, address: '93.184.216.34' };
}

function failure(reason: OutboundFailureReason): OutboundResult {
  const isPermanent = isPermanentFailure(reason);
  return {
    ok: false,
    reason,
    isPermanent,
    message: '',
    status: null,
    durationMs: 10,
    address: null,
  };
}

function decideDelivery(
  result: OutboundResult,
  attemptsMade: number,
  recipient: { failingSince: Date | null },
  at: Date,
) {
  return decide(httpSendResult(result), attemptsMade, recipient, at);
}

function later(seconds: number) {
  return { kind: 'retry', at: new Date(now.getTime() + seconds * 1_000) };
}

describe('[SAS-5.1] a delivery', () => {
  it('is tried on the schedule that receivers know from Svix', () => {
    const minutes = 60;
    const hours = 3_600;
    expect(ATTEMPT_DELAYS_SECONDS).toEqual([
      ...[0, 5, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours],
    ]);
  });

  it.each([200, 201, 202, 204, 299])(
    'is delivered by %i, which also heals the endpoint',
    (status) => {
      const failing = { failingSince: new Date(now.getTime() - 9 * day) };
      expect(decideDelivery(answer(status), 8, failing, now)).toEqual({
        delivery: { kind: 'delivered' },
        recipient: { kind: 'healthy' },
      });
    },
  );

  it.each([
    [1, later(5)],
    [2, later(300)],
    [3, later(1_800)],
    [4, later(7_200)],
    [5, later(18_000)],
    [6, later(36_000)],
    [7, later(36_000)],
    [8, { kind: 'exhausted' }],
    [9, { kind: 'exhausted' }],
  ])('that failed %i times', (attemptsMade, delivery) => {
    expect(decideDelivery(answer(500), attemptsMade, healthy, now)).toEqual({
      delivery,
      recipient: { kind: 'failing', since: now },
    });
    expect(MAX_ATTEMPTS).toBe(8);
  });

  it.each([100, 199, 300, 400, 401, 404, 429, 500, 503])('is tried again after %i', (status) => {
    expect(decideDelivery(answer(status), 1, healthy, now).delivery).toEqual(later(5));
  });

  it.each([
    'dns_failed',
    'connection_refused',
    'connection_timeout',
    'tls_failed',
    'response_timeout',
    'too_large',
    'redirect',
    'other',
  ] as const)('is tried again after %s', (reason) => {
    expect(decideDelivery(failure(reason), 1, healthy, now).delivery).toEqual(later(5));
  });

  it.each(['private_address', 'metadata_address', 'http_not_allowed', 'bad_url'] as const)(
    'is refused for good by %s',
    (reason) => {
      expect(decideDelivery(failure(reason), 1, healthy, now)).toEqual({
        delivery: { kind: 'refused' },
        recipient: { kind: 'failing', since: now },
      });
    },
  );

  it.each([
    ['60', later(60)],
    ['2', later(5)],
    ['0', later(5)],
    [' 90 ', later(90)],
    ['Sat, 21 Nov 2026 14:10:00 GMT', later(600)],
    ['Sat, 21 Nov 2026 13:00:00 GMT', later(5)],
    ['999999999', later(36_000)],
    ['9'.repeat(400), later(36_000)],
    ['Fri, 31 Dec 9999 23:59:59 GMT', later(36_000)],
    ['-5', later(5)],
    ['soon', later(5)],
    ['', later(5)],
  ])('with Retry-After %j', (header, delivery) => {
    const result = answer(503, { 'retry-after': header });
    expect(decideDelivery(result, 1, healthy, now).delivery).toEqual(delivery);
  });
});

describe('[SAS-5.1] an endpoint', () => {
  it('that answers 410 is disabled at once', () => {
    expect(decideDelivery(answer(410), 1, healthy, now)).toEqual({
      delivery: { kind: 'exhausted' },
      recipient: { kind: 'disable', reason: 'gone' },
    });
  });

  it.each([
    ['just short of five days', 5 * day - 1, 'failing', 'retry'],
    ['for five days', 5 * day, 'disable', 'exhausted'],
  ])('that has failed %s', (_what, failedForMs, endpoint, delivery) => {
    const since = new Date(now.getTime() - failedForMs);
    const decision = decideDelivery(answer(500), 1, { failingSince: since }, now);
    expect(decision.recipient.kind).toBe(endpoint);
    expect(decision.delivery.kind).toBe(delivery);
  });

  it('keeps the time of its first failure', () => {
    const since = new Date(now.getTime() - day);
    expect(decideDelivery(answer(500), 1, { failingSince: since }, now).recipient).toEqual({
      kind: 'failing',
      since,
    });
  });
});
