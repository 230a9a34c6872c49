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
    grant execute on all functions in schema ${schema} to ${to};
    revoke execute on all functions in schema ${schema} from public;
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
 * BullMQ's tables; `column` names the queue of a row, and is null where rows belong to none. A job
 * may have a parent queue besides its own.
 */
async function listTables(client) {
  const { rows } = await client.query(
    `select c.relname as name, max(a.attname) filter (where a.attname in ('queue', 'parent_queue')) as column,
       exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'named_queue') as "isLimited"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') group by c.oid, c.relname`,
    [SCHEMAS.runner],
  );
  return rows;
}

/**
 * A runner's login sees the queue that its connection names, and no other. The names can't be
 * guessed: the control plane makes them from its secret key and gives each runner its own.
 */
async function limitRunner(client) {
  const schema = SCHEMAS.runner;
  for (const { name, column, isLimited } of await listTables(client)) {
    const table = `${schema}.${client.escapeIdentifier(name)}`;
    if (!column) {
      const rights = name === 'migration' ? 'insert, update, delete, truncate' : 'all';
      await client.query(`revoke ${rights} on ${table} from ${RUNNER}`);
      continue;
    }
    if (isLimited) continue;
    const named = `${client.escapeIdentifier(column)} = current_setting('tierwatch.queue', true)`;
    await client.query(`
      alter table ${table} enable row level security;
      drop policy if exists listed_queues on ${table};
      drop policy if exists control_plane on ${table};
      drop policy if exists named_queue on ${table};
      create policy control_plane on ${table} to ${PLANE_ROLES.join(', ')} using (true) with check (true);
      create policy named_queue on ${table} to ${RUNNER} using (${named}) with check (${named});`);
  }
  // Of installations that gave all runners one list.
  await client.query(`drop table if exists ${schema}.runner_queue`);
}

/**
 * BullMQ notifies on channels that all queues share, with the queue's name, and any login can listen
 * on them. Its functions find this one first, which notifies on a channel named after the queue.
 * Runners share a login, and each may read the statements of its login's other connections: none of
 * those may name a queue, so a function listens.
 */
async function hideNotifications(client) {
  const schema = SCHEMAS.runner;
  await client.query(`
    create or replace function ${schema}.pg_notify(channel text, queue text) returns void
    language plpgsql as $$ begin
      if channel = 'bullmq_jobs' then perform pg_catalog.pg_notify(queue, ''); end if;
    end $$;
    create or replace function ${schema}.listen_to_queue() returns void
    language plpgsql as $$ begin
      execute format('listen %I', current_setting('tierwatch.queue'));
    end $$`);
  const { rows } = await client.query(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = $1::regnamespace and p.proname <> 'pg_notify' and p.prosrc like '%pg_notify%'`,
    [schema],
  );
  for (const { signature } of rows) {
    await client.query(`alter function ${signature} set search_path = ${schema}, pg_catalog`);
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
    await hideNotifications(client);
    await grantUse(client, SCHEMAS.control, PLANE_ROLES);
    await grantUse(client, SCHEMAS.runner, [...PLANE_ROLES, RUNNER]);
    await makeIdSequences(client, CONTROL_QUEUES);
    await limitRunner(client);
  } finally {
    await client.end();
  }
}
