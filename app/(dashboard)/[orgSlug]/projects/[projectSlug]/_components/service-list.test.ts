import { expect, it } from 'vitest';
import type { ServiceStatus } from '@/lib/insight/dashboard/schema';
import { worstFirst } from './service-list';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 3, minute));
const service = (name: string, status: ServiceStatus, failingSince: Date | null = null) => ({
  name,
  status,
  failingSince,
});

it('lists the worst first, and of those the one that has been so for longest', () => {
  const sorted = worstFirst([
    service('web', 'healthy'),
    service('api', 'down', at(9)),
    service('new', 'unknown'),
    service('mail', 'degraded', at(2)),
    service('db', 'down', at(4)),
    service('cache', 'healthy'),
  ]);
  expect(sorted.map(({ name }) => name)).toEqual(['db', 'api', 'mail', 'new', 'web', 'cache']);
});
