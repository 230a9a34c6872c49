/** The names of agents: one list, the same in the registry and in the database's CHECKs. */

import pg from 'pg';
import { expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import { startSpecSchema } from '@/lib/protocol/spec';
import { makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();

async function asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

it('[ENG-1.2] [ENG-1.4] every agent of the registry is a name of the list, and the reverse', () => {
  expect(Object.keys(AGENTS)).toEqual([...AGENT_NAMES]);
  for (const [name, agent] of Object.entries(AGENTS)) expect(agent.name).toBe(name);
});

it('[ENG-1.2] [ENG-1.4] every column with the name of an agent accepts the list alone', async () => {
  const { rows: columns } = await asSuperuser((client) =>
    client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'harness' order by 1`,
    ),
  );
  const { rows: checks } = await asSuperuser((client) =>
    client.query<{ name: string; definition: string }>(
      `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'c' and conname like '%\\_harness' order by 1`,
    ),
  );
  expect(checks.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
  for (const { definition } of checks) {
    const names = [...definition.matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(names).toEqual([...AGENT_NAMES]);
  }
});

it('[ENG-1.2] an unknown name is refused where it enters, and is never taken for another', async () => {
  const config = { ...testConfig(), harness: 'gull' };
  await expect(makeCast(config as Parameters<typeof makeCast>[0])).rejects.toThrow();
  expect(startSpecSchema.shape.harness.safeParse('gull').success).toBe(false);
  const cast = await makeCast();
  const insert = asSuperuser((client) =>
    client.query(
      `insert into project_version (organization_id, project_id, version, config, author)
        select organization_id, project_id, 99, jsonb_set(config, '{harness}', '"gull"'), author
        from project_version where project_id = $1`,
      [cast.projectId],
    ),
  );
  await expect(insert).rejects.toThrow(/project_version_harness/);
});
