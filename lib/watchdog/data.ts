/** Problems of the installation as they are stored: which are open, and what the operator has learned. */

import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import type { SystemQuery } from '@/lib/platform/db/global-db';
import type { Changes } from './plan-changes';
import {
  type OpenProblem,
  PROBLEM_COMPONENTS,
  PROBLEM_KINDS,
  type ProblemComponent,
  type ProblemKind,
} from './problems';

/** Of one watchdog of the installation at a time. */
const LOCK = 'tierwatch watchdog';

/** @returns false if another process has it; until the end of the transaction otherwise */
export async function lockWatchdog(query: SystemQuery): Promise<boolean> {
  const [row] = await query<{ isLocked: boolean }>(
    Prisma.sql`select pg_try_advisory_xact_lock(hashtext(${LOCK})) as "isLocked"`,
  );
  return row?.isLocked === true;
}

export function listOpenProblems(query: SystemQuery): Promise<OpenProblem[]> {
  return query<OpenProblem>(
    Prisma.sql`select id, component, kind, subject, clear_since as "clearSince"
      from installation_problem where until is null`,
  );
}

export async function storeChanges(
  query: SystemQuery,
  { opened, seen, clearing, ended }: Changes,
  now: Date,
): Promise<void> {
  const at = Prisma.sql`${now}::timestamptz`;
  for (const { component, kind, subject, since, figures } of opened) {
    await query(
      Prisma.sql`insert into installation_problem (id, component, kind, subject, figures, since, opened_at, seen_at)
        values (${uuidv7()}::uuid, ${component}, ${kind}, ${subject}, ${JSON.stringify(figures)}::jsonb,
          ${since}::timestamptz, ${at}, ${at})`,
    );
  }
  for (const { id, figures } of seen) {
    await query(
      Prisma.sql`update installation_problem set figures = ${JSON.stringify(figures)}::jsonb, seen_at = ${at},
        clear_since = null where id = ${id}::uuid`,
    );
  }
  for (const id of clearing) {
    await query(
      Prisma.sql`update installation_problem set clear_since = ${at} where id = ${id}::uuid`,
    );
  }
  for (const { id, until } of ended) {
    await query(
      // The message about the end is another one.
      Prisma.sql`update installation_problem set until = greatest(since, ${until}::timestamptz), unconfirmed = 0
        where id = ${id}::uuid`,
    );
  }
}

export interface ProblemRow {
  id: string;
  component: ProblemComponent;
  kind: ProblemKind;
  subject: string;
  figures: Record<string, number>;
  since: Date;
  until: Date | null;
  openedAt: Date;
  openingSentAt: Date | null;
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

const COLUMNS = Prisma.sql`id, component, kind, subject, figures, since, until, opened_at as "openedAt",
  opening_sent_at as "openingSentAt"`;

/** Returns open problems, then those that ended in the last `days`, newest first. */
export async function listProblems(
  query: SystemQuery,
  days: number,
  now: Date,
): Promise<ProblemRow[]> {
  const rows = await query<unknown>(
    Prisma.sql`select ${COLUMNS} from installation_problem
      where until is null or until > ${now}::timestamptz - make_interval(days => ${days})
      order by until is not null, since desc, id desc limit ${MAX_LISTED}`,
  );
  return z.array(problemRowSchema).parse(rows);
}

const MAX_LISTED = 100;

/** Older news isn't sent: an address may have been set long after. */
const NEWS_HOURS = 24;

/** A message is begun so often without a record of the outcome: it may have arrived each time. */
const MOST_UNCONFIRMED = 2;

/**
 * Claims a problem whose opening or end the operator hasn't learned of, the oldest first; null without one. Until
 * its message is sent, it is claimed again after `retrySeconds`. It counts as unconfirmed from now on.
 */
export async function claimMessage(
  query: SystemQuery,
  retrySeconds: number,
  now: Date,
): Promise<ProblemRow | null> {
  const at = Prisma.sql`${now}::timestamptz`;
  const rows = await query<unknown>(
    Prisma.sql`with due as (
        select id as due_id from installation_problem
        where (send_after is null or send_after <= ${at}) and unconfirmed < ${MOST_UNCONFIRMED}
          and ((opening_sent_at is null and opened_at > ${at} - make_interval(hours => ${NEWS_HOURS}))
            or (until > ${at} - make_interval(hours => ${NEWS_HOURS}) and end_sent_at is null))
        order by opened_at, id limit 1 for update skip locked
      )
      update installation_problem set unconfirmed = unconfirmed + 1,
        send_after = ${at} + make_interval(secs => ${retrySeconds})
      from due where id = due_id
      returning ${COLUMNS}`,
  );
  return z.array(problemRowSchema).parse(rows)[0] ?? null;
}

/** Records that a message that was claimed certainly hasn't arrived, so that it can be tried again. */
export async function markUnsent(
  query: SystemQuery,
  { id, until }: Pick<ProblemRow, 'id' | 'until'>,
): Promise<void> {
  await query(
    Prisma.sql`update installation_problem set unconfirmed = greatest(0, unconfirmed - 1)
      where id = ${id}::uuid and until is not distinct from ${until}::timestamptz`,
  );
}

/** @param until as it was in the message: the end may have come since */
export async function markSent(
  query: SystemQuery,
  { id, until }: Pick<ProblemRow, 'id' | 'until'>,
  now: Date,
): Promise<void> {
  const at = Prisma.sql`${now}::timestamptz`;
  await query(
    until === null
      ? Prisma.sql`update installation_problem set opening_sent_at = ${at}, send_after = null, unconfirmed = 0
          where id = ${id}::uuid`
      : Prisma.sql`update installation_problem set opening_sent_at = coalesce(opening_sent_at, ${at}),
          end_sent_at = ${at}, send_after = null, unconfirmed = 0 where id = ${id}::uuid`,
  );
}

/** @returns how many were deleted */
export async function deleteProblems(query: SystemQuery, endedBefore: Date): Promise<number> {
  const rows = await query<{ id: string }>(
    Prisma.sql`delete from installation_problem where until < ${endedBefore}::timestamptz returning id`,
  );
  return rows.length;
}
