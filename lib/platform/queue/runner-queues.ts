import { Prisma } from '@/generated/prisma/client';
import { lookUp } from '../db/global-db';

/** PostgreSQL accepts payloads below 8,000 bytes; a queue's name has at most 39. */
const QUEUES_PER_HINT = 150;

/** Wakes the requests that are held open for attempts of these queues. */
export async function notifyQueues(queues: readonly string[]): Promise<void> {
  const names = [...new Set(queues)];
  const hints: string[] = [];
  for (let at = 0; at < names.length; at += QUEUES_PER_HINT) {
    hints.push(JSON.stringify({ t: 'q', queues: names.slice(at, at + QUEUES_PER_HINT) }));
  }
  if (hints.length === 0) return;
  await lookUp(
    Prisma.sql`select app.send_hint(hint::json)::text as sent from unnest(${hints}::text[]) as hint`,
  );
}
