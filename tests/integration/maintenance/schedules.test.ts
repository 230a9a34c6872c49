/** The recurring jobs on either backend, also where an earlier version had others. */
import { expect, it } from 'vitest';
import { controlQueue } from '@/lib/platform/queue/enqueue';
import { useTestDatabase } from '@/tests/support/database';
import { startSchedules } from '@/workers/schedules';

useTestDatabase();

it('a worker ends a recurring job that an earlier version had under another name', async () => {
  const queue = controlQueue();
  const former = { name: 'wakeUps.ring', opts: { removeOnComplete: true } };
  await queue.upsertJobScheduler('wakeUps.ring', { every: 2_000 }, former);
  await startSchedules(queue);
  const keys = (await queue.getJobSchedulers()).map(({ key }) => key);
  expect(keys).not.toContain('wakeUps.ring');
  expect(keys).toContain('attempts.enqueue');
  await startSchedules(queue);
  expect((await queue.getJobSchedulers()).map(({ key }) => key).sort()).toEqual(keys.sort());
});
