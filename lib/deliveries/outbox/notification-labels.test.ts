import { describe, expect, it } from 'vitest';
import { notificationResult, recipientKind } from './notification-labels';

const HEALTHY = { kind: 'healthy' } as const;
const FAILING = { kind: 'failing', since: new Date(0) } as const;

describe('[INC-4.2] labels of notifications', () => {
  it.each([
    [{ delivery: { kind: 'delivered' }, recipient: HEALTHY } as const, 'delivered'],
    [{ delivery: { kind: 'retry', at: new Date(1) }, recipient: FAILING } as const, 'retried'],
    [{ delivery: { kind: 'exhausted' }, recipient: FAILING } as const, 'failed'],
    [{ delivery: { kind: 'refused' }, recipient: FAILING } as const, 'failed'],
    [
      {
        delivery: { kind: 'exhausted' },
        recipient: { kind: 'disable', reason: 'gone' },
      } as const,
      'disabled',
    ],
  ])('%j is counted as %s', (decision, result) => {
    expect(notificationResult(decision)).toBe(result);
  });

  it.each([
    [{ endpointId: 'e' }, null, 'webhook'],
    [{ endpointId: null }, 'apprise', 'apprise'],
    [{ endpointId: null }, null, 'admin_mail'],
  ])('%j with channel %s is %s', (delivery, kind, label) => {
    expect(recipientKind(delivery, kind)).toBe(label);
  });
});
