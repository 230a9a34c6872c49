import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Cast } from '@/tests/support/cast/organization';

export const DAY_MS = 86_400_000;

export interface WrittenSession {
  id: string;
  events: number;
}

/**
 * Writes a session that began at a time, with its events, through the foreign keys and, for events,
 * through session_event. `endedAt` null: it has not ended.
 */
export async function writeSession(
  superuser: pg.Client,
  cast: Pick<Cast, 'projectId'>,
  { at, endedAt = at, events = 3 }: { at: Date; endedAt?: Date | null; events?: number },
): Promise<WrittenSession> {
  const id = uuidv7({ msecs: at.getTime() });
  await superuser.query(
    `insert into session (id, organization_id, project_id, number, kind, tier, status, model, project_version,
       mechanism, created_at, started_at, ended_at, last_seq)
     select $1, organization_id, id, 1 + (select count(*) from session where project_id = $2), 'ask', 1,
       case when $4::timestamptz is null then 'running' else 'completed' end, 'haiku', 1, 'fresh', $3, $3, $4, $5
     from project where id = $2`,
    [id, cast.projectId, at, endedAt, events],
  );
  await superuser.query(
    `insert into session_event (organization_id, session_id, seq, kind, at, payload)
     select organization_id, id, n, 'text', $2, '{"kind": "text", "text": "A line."}'
     from session, generate_series(1, $3::int) n where id = $1`,
    [id, at, events],
  );
  return { id, events };
}

/** How many events each of these sessions has, in their order. */
export async function countEvents(superuser: pg.Client, sessions: readonly WrittenSession[]) {
  const { rows } = await superuser.query<{ events: number }>(
    `select (select count(*)::int from session_event e where e.session_id = s.id) as events
     from unnest($1::uuid[]) with ordinality s(id, place) order by place`,
    [sessions.map(({ id }) => id)],
  );
  return rows.map(({ events }) => events);
}

/** The partition of each of these sessions' events, in their order. */
export async function partitionsOf(superuser: pg.Client, sessions: readonly WrittenSession[]) {
  const { rows } = await superuser.query<{ partition: string | null }>(
    `select (select min(e.tableoid::regclass::text) from session_event e where e.session_id = s.id) as partition
     from unnest($1::uuid[]) with ordinality s(id, place) order by place`,
    [sessions.map(({ id }) => id)],
  );
  return rows.map(({ partition }) => partition?.replace('partitions.', '') ?? null);
}

export async function listPartitions(superuser: pg.Client): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    'select name from app.event_partitions() order by name',
  );
  return rows.map(({ name }) => name);
}

/** The name of the partition for sessions of this time. */
export function partitionAt(at: Date): string {
  const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS);
  return `session_event_${monday.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Makes the partitions of the weeks between two times, as the sweep does for those ahead. */
export async function makePartitions(superuser: pg.Client, from: Date, to: Date): Promise<void> {
  await superuser.query('select app.make_event_partitions($1, $2)', [from, to]);
}
