import { globalDb } from '../db/global-db';

const WORKER = 'worker';

/** When a worker last said that it lives, or null. */
export async function findWorkerBeat(): Promise<Date | null> {
  const row = await globalDb().processHeartbeat.findUnique({ where: { name: WORKER } });
  return row?.lastAt ?? null;
}

export async function recordWorkerBeat(now: Date): Promise<void> {
  await globalDb().processHeartbeat.upsert({
    where: { name: WORKER },
    create: { name: WORKER, continuousSince: now, lastAt: now },
    update: { lastAt: now },
  });
}
