/** Problems of the installation as they are stored: which are open, and what the operator has learned. */

import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { daysBefore } from '@/lib/platform/db/batches';
import type { RawDb } from '@/lib/platform/db/raw';
import { changedBy, changedBySystem, json, query, rowsOf, systemRows } from '@/lib/platform/db/sql';
import type { Changes } from './plan-changes';
import { type OpenProblem, PROBLEM_COMPONENTS, PROBLEM_KINDS } from './problems';

const REASON = 'problems of the installation';

/** Of one watchdog of the installation at a time. */
const LOCK = 'tierwatch watchdog';

/** @returns false if another process has it; until the end of the transaction otherwise */
export async function lockWatchdog(db: RawDb): Promise<boolean> {
  const isLocked = sql<boolean>`pg_try_advisory_xact_lock(hashtext(${LOCK}))`;
  const [row] = await rowsOf(db, query.selectNoFrom(isLocked.as('isLocked')));
  return row?.isLocked === true;
}

export function listOpenProblems(db: RawDb): Promise<OpenProblem[]> {
  return rowsOf(
    db,
    query
      .selectFrom('installationProblem')
      .select(['id', 'component', 'kind', 'subject', 'clearSince'])
      .where('until', 'is', null)
      .$narrowType<Pick<ProblemRow, 'component' | 'kind'>>(),
  );
}

export async function storeChanges(
  db: RawDb,
  { opened, seen, clearing, ended }: Changes,
  now: Date,
): Promise<void> {
  for (const { state: _, figures, ...problem } of opened) {
    const times = { openedAt: now, seenAt: now };
    const row = { id: uuidv7(), ...problem, figures: json(figures), ...times };
    await changedBy(db, query.insertInto('installationProblem').values(row));
  }
  const problem = (id: string) => query.updateTable('installationProblem').where('id', '=', id);
  for (const { id, figures } of seen) {
    const seenNow = { figures: json(figures), seenAt: now, clearSince: null };
    await changedBy(db, problem(id).set(seenNow));
  }
  for (const id of clearing) await changedBy(db, problem(id).set({ clearSince: now }));
  for (const { id, until } of ended) {
    // The message about the end is another one.
    const end = { until: sql<Date>`greatest(since, ${until})`, unconfirmed: 0 };
    await changedBy(db, problem(id).set(end));
  }
}

const problemRowSchema = z.object({
  id: z.uuid(),
  component: z.enum(PROBLEM_COMPONENTS),
  kind: z.enum(PROBLEM_KINDS),
  subject: z.string(),
  figures: z.record(z.string(), z.number()),
  since: z.date(),
  until: z.date().nullable(),
  openedAt: z.date(),
  openingSentAt: z.date().nullable(),
});
export type ProblemRow = z.infer<typeof problemRowSchema>;

/** Returns open problems, then those that ended in the last `days`, newest first. */
export async function listProblems(days: number, now: Date): Promise<ProblemRow[]> {
  const rows = await systemRows(
    REASON,
    sql`select * from installation_problem where until is null or until > ${daysBefore(now, days)}
      order by until is not null, since desc, id desc limit ${MAX_LISTED}`,
  );
  return z.array(problemRowSchema).parse(rows);
}

const MAX_LISTED = 100;

/** Older news isn't sent: an address may have been set long after. */
const NEWS_DAYS = 1;

/** A message is begun so often without a record of the outcome: it may have arrived each time. */
const MAX_UNCONFIRMED = 2;

/**
 * Claims a problem whose opening or end the operator hasn't learned of, the oldest first; null without one. Until
 * its message is sent, it is claimed again after `retrySeconds`. It counts as unconfirmed from now on.
 */
export async function claimMessage(retrySeconds: number, now: Date): Promise<ProblemRow | null> {
  const newsSince = daysBefore(now, NEWS_DAYS);
  const rows = await systemRows(
    REASON,
    sql`with due as (
        select id as due_id from installation_problem
        where (send_after is null or send_after <= ${now}) and unconfirmed < ${MAX_UNCONFIRMED}
          and ((opening_sent_at is null and opened_at > ${newsSince}) or (until > ${newsSince} and end_sent_at is null))
        order by opened_at, id limit 1 for update skip locked
      )
      update installation_problem set unconfirmed = unconfirmed + 1,
        send_after = ${new Date(now.getTime() + retrySeconds * 1_000)}
      from due where id = due_id returning installation_problem.*`,
  );
  return z.array(problemRowSchema).parse(rows)[0] ?? null;
}

/** Records that a message that was claimed certainly hasn't arrived, so that it can be tried again. */
export async function markUnsent({ id, until }: Pick<ProblemRow, 'id' | 'until'>): Promise<void> {
  await changedBySystem(
    REASON,
    sql`update installation_problem set unconfirmed = greatest(0, unconfirmed - 1)
      where id = ${id} and until is not distinct from ${until}`,
  );
}

/** @param until as it was in the message: the end may have come since */
export async function markSent(
  { id, until }: Pick<ProblemRow, 'id' | 'until'>,
  now: Date,
): Promise<void> {
  await changedBySystem(
    REASON,
    until === null
      ? sql`update installation_problem set opening_sent_at = ${now}, send_after = null, unconfirmed = 0 where id = ${id}`
      : sql`update installation_problem set opening_sent_at = coalesce(opening_sent_at, ${now}),
          end_sent_at = ${now}, send_after = null, unconfirmed = 0 where id = ${id}`,
  );
}

/** @returns how many were deleted */
export function deleteProblems(endedBefore: Date): Promise<number> {
  const ended = query.deleteFrom('installationProblem').where('until', '<', endedBefore);
  return changedBySystem(REASON, ended);
}
