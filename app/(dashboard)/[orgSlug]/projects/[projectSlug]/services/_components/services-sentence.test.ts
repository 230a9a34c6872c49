import { expect, it } from 'vitest';
import type { ServiceStatus } from '@/lib/insight/dashboard/schema';
import { servicesSentence, worstFirst } from './services-sentence';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 3, minute));
const service = (name: string, status: ServiceStatus, statusSince: Date | null = null) => ({
  name,
  status,
  statusSince,
});

it('lists the worst first, and of those the one that has been so for longest', () => {
  const sorted = worstFirst([
    service('web', 'healthy', at(1)),
    service('api', 'down', at(9)),
    service('new', 'unknown'),
    service('mail', 'degraded', at(2)),
    service('db', 'down', at(4)),
    service('cache', 'healthy', at(0)),
  ]);
  expect(sorted.map(({ name }) => name)).toEqual(['db', 'api', 'mail', 'new', 'web', 'cache']);
});

it.each<[string, ServiceStatus[]]>([
  ['This project checks nothing yet.', []],
  ['The service is healthy.', ['healthy']],
  ['All 2 services are healthy.', ['healthy', 'healthy']],
  ['Of 1 service, 1 is down.', ['down']],
  ['Of 3 services, 1 is down, 2 are healthy.', ['healthy', 'down', 'healthy']],
  ['Of 3 services, 2 are degraded, 1 is not checked yet.', ['degraded', 'unknown', 'degraded']],
])('%s', (sentence, statuses) => {
  expect(servicesSentence(statuses.map((status) => ({ status })))).toBe(sentence);
});
