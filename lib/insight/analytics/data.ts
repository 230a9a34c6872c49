import { Prisma } from '@/generated/prisma/client';
import { idSince } from '@/lib/platform/ids/id-since';
import type { PlotFrame } from './frame';

/** The frame of a page's plots as pieces of SQL. */
export interface FrameSql {
  organization: Prisma.Sql;
  from: Prisma.Sql;
  to: Prisma.Sql;
  /** Below the ids of all rows created in the frame: the bound that an index of ids can use. */
  fromId: Prisma.Sql;
  starts: Prisma.Sql;
  ends: Prisma.Sql;
  /** The number of the bucket that a moment lies in, from 0; -1 before the first. */
  bucketOf: (moment: Prisma.Sql) => Prisma.Sql;
  /** `and …` where one project is asked for, else nothing. */
  andProject: (column: Prisma.Sql) => Prisma.Sql;
}

export function frameSql({ organizationId, projectId, buckets }: PlotFrame): FrameSql {
  const from = buckets[0]?.startAt ?? new Date(0);
  const to = buckets.at(-1)?.endAt ?? from;
  const starts = buckets.map((bucket) => bucket.startAt.toISOString());
  const ends = buckets.map((bucket) => bucket.endAt.toISOString());
  return {
    organization: Prisma.sql`${organizationId}::uuid`,
    from: Prisma.sql`${from.toISOString()}::timestamptz`,
    to: Prisma.sql`${to.toISOString()}::timestamptz`,
    fromId: Prisma.sql`${idSince(from)}::uuid`,
    starts: Prisma.sql`${starts}::timestamptz[]`,
    ends: Prisma.sql`${ends}::timestamptz[]`,
    // The same boundaries as in the page, so that a clock change cannot part the two.
    bucketOf: (moment) => Prisma.sql`(width_bucket(${moment}, ${starts}::timestamptz[]) - 1)`,
    andProject: (column) =>
      projectId === null ? Prisma.empty : Prisma.sql`and ${column} = ${projectId}::uuid`,
  };
}
