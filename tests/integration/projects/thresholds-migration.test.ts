/** Versions that were stored with their limits in the configuration, of which f8f59581 is the last. */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectConfigSchema } from '@/lib/projects/schema';
import { joinThresholds, splitThresholds } from '@/lib/projects/thresholds';
import { migrate } from '@/scripts/bootstrap/prisma.mjs';
import { testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { makeDatabaseBefore, type OldDatabase } from '../maintenance/support/old-database';
import { connect } from '../tenancy/support/tenant-tables';

const database = useTestDatabase();
const ORGANIZATION = uuidv7();
const PROJECT = uuidv7();
let old: OldDatabase;
let superuser: pg.Client;

const LIMITED = testConfig({
  budgets: { chainUsd: 0.1, dayUsd: 12.5, monthUsd: 300 },
  maxRereadTokens: 90_000,
});
const VERSIONS = [testConfig({}), LIMITED] as const;

beforeAll(async () => {
  old = await makeDatabaseBefore(database, 'thresholds', `${database.name}_old`);
  superuser = await connect(old.superuserUrl);
  await superuser.query(`insert into organization (id, slug, name) values ($1, 'acme', 'Acme')`, [
    ORGANIZATION,
  ]);
  await superuser.query(
    `insert into project (id, organization_id, slug, name, current_version) values ($1, $2, 'web', 'Web', 2)`,
    [PROJECT, ORGANIZATION],
  );
  for (const [index, config] of VERSIONS.entries()) {
    // The stall timeout came after the first versions.
    const tiers = config.tiers.map(({ stallSeconds, ...tier }) =>
      index === 0 ? tier : { ...tier, stallSeconds },
    );
    await superuser.query(
      `insert into project_version (organization_id, project_id, version, config, author) values ($1, $2, $3, $4, 'Ann')`,
      [ORGANIZATION, PROJECT, index + 1, JSON.stringify({ ...config, tiers })],
    );
  }
});
afterAll(async () => {
  await superuser.end();
  await old.drop();
});

it('[CRD-1.1] every version keeps its limits, in rows alone', async () => {
  await migrate(old.ownerUrl);
  const { rows } = await superuser.query<{ config: object; thresholds: [] }>(
    `select config, (select json_agg(t) from threshold t where t.version = v.version) as thresholds
      from project_version v where project_id = $1 order by version`,
    [PROJECT],
  );
  expect(rows.map((row) => projectConfigSchema.parse(joinThresholds(row)))).toEqual(VERSIONS);
  expect(rows.map(({ config }) => config)).toEqual(
    VERSIONS.map((version) => splitThresholds(version).stored),
  );
});
