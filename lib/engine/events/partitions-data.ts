import { sql } from 'kysely';
import { changedBySystem, query, systemRows } from '@/lib/platform/db/sql';

const REASON = 'partitions and retention of session logs';

/** PostgreSQL's code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

/**
 * Makes the missing partitions of the weeks between two times, and moves the events of those weeks
 * from the default partition to them.
 *
 * @returns how many partitions it made
 * @throws an error with `isLockTimeout` behind a transaction that holds their locks for more than 200 ms
 */
export async function makeEventPartitions(from: Date, to: Date): Promise<number> {
  const made = sql<number>`app.make_event_partitions(${from}, ${to})`.as('made');
  const [row] = await systemRows(REASON, query.selectNoFrom(made));
  return row?.made ?? 0;
}

/** A partition whose events are all past every organization's retention. */
export interface PastPartition {
  name: string;
  /** UUID above the ids of its sessions. */
  belowId: string;
}

/** Returns the partitions that only have sessions that ended before a time, oldest first. */
export function listPastPartitions(endedBefore: Date): Promise<PastPartition[]> {
  return systemRows(
    REASON,
    sql<PastPartition>`select p.name, p.below_id from app.event_partitions() p
      where not p.is_default and p.below_id <= app.first_id_of(${endedBefore}::timestamptz)
        and not exists (
          select from session s where s.id >= p.from_id and s.id < p.below_id
            and (s.ended_at is null or s.ended_at >= ${endedBefore}::timestamptz))
      order by p.below_id`,
  );
}

/**
 * Drops a partition.
 *
 * @returns false if an organization has made its retention longer since
 * @throws an error with `isLockTimeout` behind a transaction that reads or writes events for more than 200 ms
 */
export async function dropEventPartition(name: string, now: Date): Promise<boolean> {
  const isDropped = sql<boolean>`app.drop_event_partition(${name}, ${now})`.as('isDropped');
  const [row] = await systemRows(REASON, query.selectNoFrom(isDropped));
  return row?.isDropped ?? false;
}

/** Returns every organization with the days for which it keeps logs. */
export function listLogRetentions() {
  const organizations = query.selectFrom('organization').orderBy('id');
  const columns = ['id as organizationId', 'logRetentionDays as days'] as const;
  return systemRows(REASON, organizations.select(columns));
}

/** Which events of an organization's sessions to delete. */
export interface PastEvents {
  organizationId: string;
  /** UUIDs: session ids from the first up to below the second. */
  fromId: string;
  belowId: string;
  /** Only those of sessions that ended before. */
  endedBefore: Date;
}

/** Deletes up to `limit` events and returns how many it deleted. */
export function deleteSessionEvents(past: PastEvents, limit: number): Promise<number> {
  const { organizationId, fromId, belowId, endedBefore } = past;
  // The bounds appear twice so that both reads skip the other partitions.
  return changedBySystem(
    REASON,
    sql`delete from session_event e using (
        select o.session_id, o.seq from session_event o
        join session s on s.organization_id = o.organization_id and s.id = o.session_id
        where o.organization_id = ${organizationId}::uuid
          and o.session_id >= ${fromId}::uuid and o.session_id < ${belowId}::uuid
          and s.ended_at < ${endedBefore}::timestamptz
        order by o.session_id, o.seq limit ${limit}
      ) past
      where e.organization_id = ${organizationId}::uuid
        and e.session_id >= ${fromId}::uuid and e.session_id < ${belowId}::uuid
        and e.session_id = past.session_id and e.seq = past.seq`,
  );
}

/** Returns how many events are in the default partition, by the week of their sessions. */
export function countUnplacedEvents(): Promise<{ week: Date; events: bigint }[]> {
  return systemRows(REASON, sql`select week, events from app.unplaced_events()`);
}
