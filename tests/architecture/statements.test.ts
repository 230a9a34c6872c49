import { describe, expect, it } from 'vitest';
import { productSources } from './source-files';

/**
 * A subquery of an update may be planned as the inner side of a nested loop. It then runs once per row and, since
 * it skips what it has locked, claims other rows each time: more than its limit, and more than its caller reads.
 * PostgreSQL evaluates a CTE that locks rows once.
 */
const REPEATED_CLAIM =
  /\b(?:update|delete)\b[^`;]*\b(?:in|from)\s*\(\s*select\b[^`]*\bskip locked/i;
/** The same, written with Kysely. */
const REPEATED_BUILT_CLAIM = /\b(?:updateTable|deleteFrom)\([^;]*\b(?:skipLocked|lockDue)\(/;

const ADVICE = 'Select the rows in a CTE: with due as (select … for update skip locked) update …';

describe('a statement that claims rows', () => {
  it('selects them once, whatever its plan', () => {
    const found = productSources().filter(
      ({ text }) => REPEATED_CLAIM.test(text) || REPEATED_BUILT_CLAIM.test(text),
    );
    expect(found.map(({ path }) => path).join('\n'), ADVICE).toBe('');
  });

  it.each([
    [true, 'update job set at = 1 where id in (select id from job limit 1 for update skip locked)'],
    [true, 'update job j set at = 1 from (\n select id from job for update skip locked) due'],
    [true, 'delete from job where id in (select id from job limit 1 for update skip locked)'],
    [
      false,
      'with due as (select id from job limit 1 for update skip locked) update job set at = 1',
    ],
    [false, 'select id from job for no key update skip locked'],
    [false, 'delete from job where id in (select id from job limit 1)'],
  ])('%s: %s', (isRepeated, text) => {
    expect(REPEATED_CLAIM.test(text)).toBe(isRepeated);
  });

  it.each([
    [
      true,
      "query.updateTable('job').where('id', 'in', q.selectFrom('job').forUpdate().skipLocked())",
    ],
    [true, "query.updateTable('job').from(lockDue({ limit }).as('due'))"],
    [false, "query.with('due', () => lockDue({ limit })).updateTable('job')"],
    [false, "query.updateTable('job').set({ at }); query.selectFrom('job').skipLocked()"],
  ])('%s: %s', (isRepeated, text) => {
    expect(REPEATED_BUILT_CLAIM.test(text)).toBe(isRepeated);
  });
});

const STATUS_WRITES = [
  /\bdb\.(?:chain|session|attempt)\.update\w*\([^;]*?\bdata: \{[^;]*?\bstatus: /,
  /\bupdate (?:chain|session|attempt)\b(?: \w+)?\s+set[^`]*?\bstatus = [^`]*?\bwhere\b/,
];
const WRITER = 'lib/engine/status-data.ts';
const writesStatus = (text: string) => STATUS_WRITES.some((write) => write.test(text));

describe('[ENG-1.4] the status of a chain, a session and an attempt', () => {
  it(`is changed in ${WRITER} alone`, () => {
    const writers = productSources().filter(({ text }) => writesStatus(text));
    expect(writers.map(({ path }) => path)).toEqual([WRITER]);
  });

  it.each([
    [true, "db.chain.updateMany({ where: { id }, data: { status: 'ended', endedAt } });"],
    [true, "Prisma.sql`update session s set turns = 1, status = 'ended' where id = 1`"],
    [false, "db.chain.updateMany({ where: { status: 'waiting' }, data: { waitReason } });"],
    [false, "Prisma.sql`update attempt set fence = 1 where status = 'queued'`"],
  ])('%s: %s', (isWrite, text) => {
    expect(writesStatus(text)).toBe(isWrite);
  });
});
