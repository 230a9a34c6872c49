import { describe, expect, it } from 'vitest';
import { runAsTenant } from '@/lib/platform/db/tenant-pool';
import { createConfigCache } from './project-rows';
import type { ProjectConfig } from './schema';

const config = (instructions: string) =>
  ({ instructions, budgets: { dayUsd: 1 } }) as unknown as ProjectConfig;

const as = <T>(tenant: string, work: () => T): Promise<T> =>
  runAsTenant(tenant, async () => work());

describe('the cache of configurations', () => {
  it('answers one tenant nothing that another one keeps', async () => {
    const cache = createConfigCache();
    await as('alice', () => cache.keep('p', 1, config('hers')));
    expect(await as('alice', () => cache.get('p', 1)?.instructions)).toBe('hers');
    expect(await as('charlie', () => cache.get('p', 1))).toBeUndefined();
    expect(await as('alice', () => cache.get('p', 2))).toBeUndefined();
  });

  it('lets nobody change what it shares', async () => {
    const cache = createConfigCache();
    const kept = await as('alice', () => cache.keep('p', 1, config('hers')));
    expect(() => {
      kept.budgets.dayUsd = 2;
    }).toThrow(TypeError);
  });

  it('lets go of what was not asked for in the longest time', async () => {
    const cache = createConfigCache();
    await as('alice', () => {
      for (let version = 1; version <= 300; version += 1) cache.keep('p', version, config(''));
      cache.get('p', 1);
      cache.keep('p', 301, config(''));
    });
    expect(await as('alice', () => cache.get('p', 1))).toBeDefined();
    expect(await as('alice', () => cache.get('p', 2))).toBeUndefined();
  });
});
