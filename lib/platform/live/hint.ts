import { sqlRows } from '../db/sql';
import type { TenantDb } from '../db/tenant-db';

/**
 * `s` a session's events, `p` a project, `o` an organization, `r` a runner's directives, `q` a
 * queue of runners, `a` what a person or token has access to.
 */
export type Topic = `${(typeof KINDS)[number] | 'q'}:${string}`;
const KINDS = ['s', 'p', 'o', 'r', 'a'] as const;

interface Hint {
  topics: Topic[];
  /** Of a session: the newest sequence number. */
  seq: number | null;
}

/**
 * Reads a payload of the channel. It carries ids only and may be lost, so it is a hint and never a
 * fact; the receiver reads the rows again: `{"t":"p","id":"…","o":"…"}`.
 */
export function parseHint(payload: string): Hint | null {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { t, id, o, seq, queues } = value as Record<string, unknown>;
  if (t === 'q') return queueHint(queues);
  const kind = KINDS.find((each) => each === t);
  if (typeof id !== 'string' || !kind) return null;
  const topics: Topic[] = [`${kind}:${id}`];
  if (kind === 'p' && typeof o === 'string') topics.push(`o:${o}`);
  return { topics, seq: typeof seq === 'number' ? seq : null };
}

/** `{"t":"q","queues":["pool-…"]}`: many at once, since due chains come in batches. */
function queueHint(queues: unknown): Hint | null {
  if (!Array.isArray(queues)) return null;
  const names = queues.filter((name) => typeof name === 'string');
  return { topics: names.map((name): Topic => `q:${name}`), seq: null };
}

/** Notifies followers of a session of changes that aren't in its event stream. */
export async function notifySession(db: TenantDb, sessionId: string): Promise<void> {
  await sendHint(db, { t: 's', id: sessionId });
}

/** Wakes the held-open request of a runner. */
export async function notifyRunner(db: TenantDb, runnerId: string): Promise<void> {
  await sendHint(db, { t: 'r', id: runnerId });
}

async function sendHint(db: TenantDb, hint: object): Promise<void> {
  await sqlRows(db)`select app.send_hint(${JSON.stringify(hint)}::json)::text as sent`;
}
