/** A process does not serve anyone on a database that would not keep tenants apart. */

import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { requireTenantWalls } from '@/lib/platform/db/startup-check';
import { programFile } from '@/scripts/bootstrap/programs.mjs';
import { databaseEnvironment, useTestDatabase } from '@/tests/support/database';
import { connect } from './support/tenant-tables';

const database = useTestDatabase();

async function asSuperuser(sql: string) {
  const client = await connect(database.superuserUrl);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

let undo: string | null = null;
afterEach(async () => {
  if (undo) await asSuperuser(undo);
  undo = null;
});

describe('the look at the tables before anything starts', () => {
  it('[SAS-1.3] lets the migrated database pass', async () => {
    await requireTenantWalls();
  });

  it.each([
    [
      'a table without row-level security',
      'alter table chain disable row level security',
      'alter table chain enable row level security',
      /in: chain\./,
    ],
    [
      'a table that spares its owner',
      'alter table session no force row level security',
      'alter table session force row level security',
      /in: session\./,
    ],
    [
      'the organizations themselves',
      'alter table organization no force row level security',
      'alter table organization force row level security',
      /in: organization\./,
    ],
    [
      'a new table that nobody guarded',
      'create table note (id int, organization_id uuid)',
      'drop table note',
      /in: note\./,
    ],
    [
      'a guarded table without a policy',
      'create table note (organization_id uuid); alter table note enable row level security; alter table note force row level security',
      'drop table note',
      /in: note\./,
    ],
    [
      'a policy for everybody that does not ask for the tenant',
      'create policy everything on pointer using (true)',
      'drop policy everything on pointer',
      /in: pointer\./,
    ],
    [
      'a view with the rights of its owner',
      'create view spend as select * from ledger_entry',
      'drop view spend',
      /rights of their owner: spend\./,
    ],
  ])('[SAS-1.3] finds %s', async (_name, harm, repair, words) => {
    undo = repair;
    await asSuperuser(harm);
    await expect(requireTenantWalls()).rejects.toThrow(words);
  });

  it('lets a view pass that reads with the rights of whoever asks', async () => {
    undo = 'drop view spend';
    await asSuperuser(
      'create view spend with (security_invoker = true) as select * from ledger_entry',
    );
    await requireTenantWalls();
  });
});

const STARTS = {
  worker: [programFile('worker')],
  web: ['--import', 'tsx', '-e', "import('./instrumentation.ts').then((web) => web.register())"],
} as const;

/** What a process says, and how it ends, when its logins are these. */
async function start(part: keyof typeof STARTS, logins: Record<string, string>) {
  const child = spawn(process.execPath, STARTS[part], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      NEXT_RUNTIME: 'nodejs',
      ...databaseEnvironment(database),
      ...logins,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.stdout.on('data', () => {
      if (output.includes('worker ready')) child.kill('SIGTERM');
    });
  });
  return { code, output };
}

describe.each(['worker', 'web'] as const)('the %s process', (part) => {
  it.each([
    [
      'a superuser',
      () => ({ TIERWATCH_APP_DATABASE_URL: database.superuserUrl }),
      'is a superuser',
    ],
    ['the owner', () => ({ TIERWATCH_APP_DATABASE_URL: database.ownerUrl }), 'owns tables'],
    [
      'the login that sees every organization',
      () => ({ TIERWATCH_APP_DATABASE_URL: database.systemUrl }),
      'does not keep tenants apart',
    ],
    [
      'a superuser for sweeps',
      () => ({ TIERWATCH_SYSTEM_DATABASE_URL: database.superuserUrl }),
      'of the system is a superuser',
    ],
  ])('[SAS-1.3] refuses to start with %s', async (_name, logins, words) => {
    const { code, output } = await start(part, logins());
    expect(output).toContain(words);
    expect(code).toBe(1);
    expect(output).not.toContain('worker ready');
  });
});

it('[SAS-1.3] the worker starts with the logins that are meant', async () => {
  const { code, output } = await start('worker', {});
  expect(output).toContain('worker ready');
  expect(code).toBe(0);
});
