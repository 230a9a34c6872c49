import { runMigrations } from 'bullmq';
import pg from 'pg';

/** The control plane's own queues; each needs its id sequence, which no role but the owner may make. */
export const CONTROL_QUEUES = ['control', 'deliveries'];

const SCHEMAS = { control: 'bullmq', runner: 'bullmq_runner' };
const PLANE_ROLES = ['tierwatch_app', 'tierwatch_system'];
const RUNNER = 'tierwatch_runner';
const PREPARE_LOCK = 7_411_902;

async function grantUse(client, schema, roles) {
  const to = roles.join(', ');
  const rights = 'select, insert, update, delete';
  await client.query(`
    grant usage on schema ${schema} to ${to};
    grant ${rights} on all tables in schema ${schema} to ${to};
    grant usage, select on all sequences in schema ${schema} to ${to};
    alter default privileges in schema ${schema} grant ${rights} on tables to ${to};
    alter default privileges in schema ${schema} grant usage, select on sequences to ${to};
    revoke insert, update, delete on ${schema}.migration from ${to};`);
}

async function makeIdSequences(client, queues) {
  await client.query(`set search_path = ${SCHEMAS.control}`);
  for (const queue of queues) {
    // Taking an id makes the sequence, so it is asked only when there is none.
    await client.query('select next_job_id($1) where to_regclass(job_id_seq_name($1)) is null', [
      queue,
    ]);
  }
  await client.query('reset search_path');
}

/**
 * A runner's login sees the queues listed in runner_queue and no other pool's. The control plane
 * lists a queue when the pool or runner it belongs to is made for this installation's own fleet.
 */
async function limitRunner(client) {
  const schema = SCHEMAS.runner;
  await client.query(`
    create table if not exists ${schema}.runner_queue (queue text primary key);
    grant select, insert, delete on ${schema}.runner_queue to ${PLANE_ROLES.join(', ')};
    revoke all on ${schema}.runner_queue from ${RUNNER};
    grant select on ${schema}.runner_queue to ${RUNNER};`);
  const { rows } = await client.query(
    `select c.relname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'queue' and not a.attisdropped
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname <> 'runner_queue'
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'listed_queues')`,
    [schema],
  );
  for (const { name } of rows) {
    const table = `${schema}.${client.escapeIdentifier(name)}`;
    const listed = `queue in (select listed.queue from ${schema}.runner_queue listed)`;
    await client.query(`
      alter table ${table} enable row level security;
      create policy control_plane on ${table} to ${PLANE_ROLES.join(', ')} using (true) with check (true);
      create policy listed_queues on ${table} to ${RUNNER} using (${listed}) with check (${listed});`);
  }
}

/**
 * Makes or updates BullMQ's tables for the control plane and, apart from them, for the runners. Run as
 * the owner at every deploy; repeating it changes nothing.
 */
export async function prepareQueueSchemas(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
    for (const schema of Object.values(SCHEMAS)) await runMigrations(client, schema);
    await grantUse(client, SCHEMAS.control, PLANE_ROLES);
    await grantUse(client, SCHEMAS.runner, [...PLANE_ROLES, RUNNER]);
    await makeIdSequences(client, CONTROL_QUEUES);
    await limitRunner(client);
  } finally {
    await client.end();
  }
}
