import { describe, expect, it } from 'vitest';
import type { TenantScope } from './db/scope';
import type { TenantDb } from './db/tenant-db';
import { domainEvent, publish, subscribe } from './domain-events';

const db = {} as TenantDb;
const scope = {} as TenantScope;
const now = new Date('2026-11-23T12:00:00Z');
const job = (name: string) => ({ name, payload: null, enqueue: async () => {} });

describe('publish', () => {
  it('calls every subscriber with what happened, in the order they subscribed', async () => {
    const event = domainEvent<{ number: number }>('test.happened');
    const seen: unknown[] = [];
    subscribe(event, 'first', async (...told) => {
      seen.push(['first', ...told]);
      return [job('one')];
    });
    subscribe(event, 'second', async (...told) => {
      seen.push(['second', ...told]);
      return [job('two'), job('three')];
    });
    const jobs = await publish(db, scope, event, { number: 7 }, now);
    expect(jobs.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(seen).toEqual([
      ['first', db, scope, { number: 7 }, now],
      ['second', db, scope, { number: 7 }, now],
    ]);
  });

  it('calls a subscriber once, however often it subscribed', async () => {
    const event = domainEvent<null>('test.repeated');
    let calls = 0;
    const handler = async () => {
      calls += 1;
      return [];
    };
    subscribe(event, 'same', handler);
    subscribe(event, 'same', handler);
    await publish(db, scope, event, null, now);
    expect(calls).toBe(1);
  });

  it('fails where nobody subscribed, since a message would be lost', async () => {
    const event = domainEvent<null>('test.forgotten');
    await expect(publish(db, scope, event, null, now)).rejects.toThrow(
      'Nothing subscribes to test.forgotten. Subscribe when the process starts.',
    );
  });

  it('fails with its subscriber, so that the transaction is rolled back', async () => {
    const event = domainEvent<null>('test.failed');
    subscribe(event, 'broken', async () => {
      throw new Error('no room');
    });
    await expect(publish(db, scope, event, null, now)).rejects.toThrow('no room');
  });
});
