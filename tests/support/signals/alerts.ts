import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AlertSubject } from '@/lib/deliveries/alert';
import type { Message } from '@/lib/deliveries/message';

/** A file beside this one: built from public documentation, or captured from a real sender. */
export function signalFixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, `${name}.json`), 'utf8'));
}

/** The incident of the fixtures. */
export const CHECKOUT_DOWN: AlertSubject = {
  dedupKey: 'tierwatch/inc_01JCHECKOUT',
  sequence: 1,
  status: 'firing',
  severity: 'critical',
  title: 'checkout is down',
  description: 'http check failed 3 of 3 (503)',
  project: null,
  services: ['checkout'],
  startedAt: '2026-11-23T08:58:42.000Z',
  resolvedAt: null,
  url: 'https://tierwatch.example.test/incidents/inc_01JCHECKOUT',
  needsHuman: false,
};

/** What a channel stores about it. */
export function alertMessage(changes: Partial<AlertSubject> = {}): Message {
  const alert = { ...CHECKOUT_DOWN, ...changes };
  const verbs = { firing: 'opened', acknowledged: 'acknowledged', resolved: 'resolved' };
  return {
    title: `Incident ${verbs[alert.status]}: ${alert.title}`,
    lines: [alert.description],
    link: { url: alert.url, label: 'Open incident' },
    tone: alert.status === 'resolved' ? 'success' : 'failure',
    alert,
  };
}
