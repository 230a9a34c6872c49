import { sql } from 'kysely';
/** Reading checkpoints stays quick however many there are: no look-up walks through the table. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRecoveryCandidates } from '@/lib/engine/checkpoints/data';
import { listCheckpointRows, listCheckpointsOfSession } from '@/lib/insight/checkpoints';
import { rowsOf } from '@/lib/platform/db/sql';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from '../engine/support/running';

const database = useTestDatabase();
let superuser: pg.Client;
let cast: Cast;
let spec: AttemptSpec;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  cast = await makeCast();
  await startOne(cast);
  spec = await claimNext(cast.runner);
  await fill(cast.projectId, spec.sessionId, 50);
  for (const projectId of [cast.projectId, ...Array.from({ length: 4 }, () => randomUUID())])
    await fill(projectId, null, 2_000);
  await superuser.query('vacuum analyze session_checkpoints');
});
afterAll(() => superuser.end());

const PATH = '/srv/projects/checkout/work';

/** On the paths of 20 hosts. `sessionId` null: many sessions. Rows whose sessions are not there, which no reader minds. */
async function fill(projectId: string, sessionId: string | null, count: number): Promise<void> {
  await superuser.query("set session_replication_role = 'replica'");
  await superuser.query(
    `insert into session_checkpoints (id, organization_id, project_id, session_id, attempt_id, attempt_seq,
       harness, project_path, project_path_normalized, trigger, digest, counts, recent_queries, remembered, at)
     select gen_random_uuid(), $1, $2, coalesce($3, gen_random_uuid()), $4, nextval('session_checkpoints_seq_seq'),
       'claude', path, path, 'periodic', repeat('x', 200), '{}', '[]', '[]', now()
     from generate_series(1, $6::int) n, concat($5::text, nullif(n % 20, 0)) path`,
    [cast.alice.organizationId, projectId, sessionId, spec.attemptId, PATH, count],
  );
  await superuser.query("set session_replication_role = 'origin'");
}

/** How often the table was walked through, and each of its indexes was used. */
async function scans(): Promise<Record<string, number>> {
  const { rows } = await superuser.query<{ name: string; scans: string }>(
    `select indexrelname as name, idx_scan as scans from pg_stat_user_indexes where relname = 'session_checkpoints'
     union all select 'table', seq_scan from pg_stat_user_tables where relname = 'session_checkpoints'`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.scans)]));
}

const INDEXES = {
  session: 'session_checkpoints_organization_id_session_id_seq_idx',
  path: 'session_checkpoints_organization_id_project_id_project_path_idx',
  project: 'session_checkpoints_organization_id_project_id_seq_idx',
  organization: 'session_checkpoints_organization_id_seq_idx',
};

function candidates(db: TenantDb) {
  const start = { projectId: cast.projectId, sessionId: spec.sessionId, parentSessionId: null };
  const about = { ...start, projectPathNormalized: PATH };
  return listRecoveryCandidates(db, about, new Date());
}
const page = { limit: 10, beforeSeq: null };

it.each<[string, readonly string[], (db: TenantDb) => Promise<unknown[]>]>([
  ['what a start recovers from', [INDEXES.session, INDEXES.path], candidates],
  [
    'the latest of a project',
    [INDEXES.project],
    (db) => listCheckpointRows(db, cast.projectId, page),
  ],
  ['the latest of all', [INDEXES.organization], (db) => listCheckpointRows(db, null, page)],
  ['all of a session', [INDEXES.session], (db) => listCheckpointsOfSession(db, spec.sessionId)],
])('[CKP-1.4] %s is found by its index', async (_name, indexes, look) => {
  const before = await scans();
  await inTransaction(cast.alice, async (db) => {
    await look(db);
    await rowsOf(db, sql`select pg_stat_force_next_flush()::text`);
  });
  const after = await scans();
  expect(after.table).toBe(before.table);
  for (const index of indexes) expect(after[index], index).toBeGreaterThan(before[index] ?? 0);
});
