/** The audit log shows what happened, and that nobody has touched it since. */

import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/identity/audit/data';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

const database = useTestDatabase();
let cast: Cast;

beforeEach(async () => {
  cast = await makeCast();
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  await play(cast.runner, await claimNext(cast.runner), { report: { resolved: true } });
});

const verify = () => inTransaction(cast.alice, verifyAudit);

/** With rights that no login of the product has. */
async function tamper(sql: string) {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(sql, [cast.alice.organizationId]);
    expect(rowCount).toBe(1);
  } finally {
    await client.end();
  }
}

describe('the audit log', () => {
  it('holds every change of a chain, in order and unbroken', async () => {
    const entries = await inTransaction(cast.alice, (db) =>
      db.auditLog.findMany({ orderBy: { seq: 'asc' } }),
    );
    expect(entries.map((entry) => entry.action)).toEqual([
      'organization.created',
      'project.created',
      'chain.started',
      'decision.made',
      'decision.made',
      'decision.made',
      'chain.ended',
    ]);
    expect(entries.map((entry) => Number(entry.seq))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await verify()).toEqual({ checked: 7, firstBad: null, headMatches: true });
  });

  it.each([
    [
      'what an entry says',
      `update audit_log set detail = '{"changed": true}' where organization_id = $1 and seq = 3`,
    ],
    ['who did it', `update audit_log set actor = 'user:x' where organization_id = $1 and seq = 3`],
    [
      'when it was',
      `update audit_log set at = at + interval '1 second' where organization_id = $1 and seq = 3`,
    ],
    ['its hash', `update audit_log set hash = '\\x00' where organization_id = $1 and seq = 3`],
  ])('finds the entry in which someone changed %s', async (_name, sql) => {
    await tamper(sql);
    expect(await verify()).toMatchObject({ checked: 7, firstBad: 3 });
  });

  it('finds the place where an entry was taken out', async () => {
    await tamper('delete from audit_log where organization_id = $1 and seq = 4');
    expect(await verify()).toMatchObject({ checked: 6, firstBad: 5 });
  });

  it('finds that the newest entries were cut off', async () => {
    await tamper('delete from audit_log where organization_id = $1 and seq = 7');
    expect(await verify()).toEqual({ checked: 6, firstBad: null, headMatches: false });
  });

  it('finds that everything was taken out', async () => {
    await tamper(
      'with gone as (delete from audit_log where organization_id = $1 returning 1) select count(*) from gone',
    );
    expect(await verify()).toEqual({ checked: 0, firstBad: null, headMatches: false });
  });

  it('is left alone by what was rolled back, and stays unbroken under many writers', async () => {
    const entry = { action: 'project.saved' as const, target: 'prj_x', detail: {} };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        inTransaction(cast.alice, async (db) => {
          await recordAudit(db, cast.alice, [entry, entry]);
          if (index % 3 === 0) throw new Error('taken back');
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20);
    expect(await verify()).toEqual({ checked: 47, firstBad: null, headMatches: true });
  });
});
