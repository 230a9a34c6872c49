import pg from 'pg';

/** The CHECKs of a migration that adds the third name. */
export async function allowParrot(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const table of ['project_version', 'pointer', 'session_checkpoints', 'model_window']) {
      await client.query(`alter table ${table} drop constraint ${table}_harness`);
      await client.query(
        `alter table ${table} add constraint ${table}_harness check (harness in ('claude', 'demo', 'parrot'))`,
      );
    }
  } finally {
    await client.end();
  }
}
