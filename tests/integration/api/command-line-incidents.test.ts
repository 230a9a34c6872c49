/** Incidents on the command line, against the real API. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordServiceChanges } from '@/lib/incidents/record-services';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { createProject } from '@/lib/projects/manage-project';
import { seedIncident } from '@/tests/support/cast/incident';
import { testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { runHere } from './support/command-line';
import { type ApiServer, startApiServer } from './support/server';
import { makeTenant, type Tenant } from './support/tenant';
import { seedThreeTierChain } from './support/three-tier-chain';

useTestDatabase();

const APART = { verifySeconds: 600, reopenSeconds: 3_600, groupSeconds: 0 };

let server: ApiServer;
let tenant: Tenant;
let id: string;
let tokens: Record<'writer' | 'reader' | 'stranger', string>;

beforeAll(async () => {
  server = await startApiServer();
  tenant = await makeTenant('Acme');
  await seedThreeTierChain(tenant);
  id = await seedIncident(tenant.scope);
  const stranger = await makeTenant('Other');
  tokens = {
    writer: await tenant.token('incidents:read', 'incidents:write'),
    reader: await tenant.token('incidents:read'),
    stranger: await stranger.token('all'),
  };
});
/** Two incidents of another project: the newer one first. */
async function otherProject(): Promise<[string, string]> {
  const { scope } = tenant;
  const input = { name: 'Billing', slug: 'billing', config: testConfig({ incidents: APART }) };
  const { projectId } = await createProject(scope, input);
  return inTransaction(scope, async (db) => {
    const services = await db.service.findMany({ where: { projectId }, orderBy: { name: 'asc' } });
    for (const [index, { id: serviceId, name }] of services.entries()) {
      const failingSince = new Date(Date.now() - 3_600_000 + index * 1_000);
      const change = { before: 'healthy', status: 'down', failingSince, error: '' } as const;
      await recordServiceChanges(
        db,
        scope,
        projectId,
        [{ serviceId, name, ...change }],
        failingSince,
      );
    }
    const rows = await db.incident.findMany({ where: { projectId }, orderBy: { number: 'desc' } });
    const [from, into] = rows.map((row) => encodeId('inc', row.id));
    if (!from || !into) throw new Error('Two services fail, each in an incident of its own.');
    return [from, into];
  });
}

afterAll(async () => {
  await server.close();
  await liveHub().close();
});

const run = (who: keyof typeof tokens, ...args: string[]) =>
  runHere(args, { TIERWATCH_URL: server.url, TIERWATCH_TOKEN: tokens[who] }).ended;

it('[INC-2.1] silences an incident, ends that, and merges it into another one', async () => {
  const other = await otherProject();
  const silent = await run('writer', 'incident', 'silence', id, '--for', '4h', '--note', 'Known.');
  expect(silent).toMatchObject({ code: 0, stderr: '' });
  expect(silent.stdout).toMatch(/ {2}Silenced: {6}by .+, until \d{4}-/);
  expect((await run('reader', 'incident', 'list')).stdout).toContain('silenced');
  const loud = await run('writer', 'incident', 'silence', id, '--end');
  expect(loud.stdout).toContain('ended the silence.');
  expect(loud.stdout).not.toContain('Silenced:');
  const [from, into] = other;
  const merged = await run('writer', 'incident', 'merge', from, '--into', into, '--note', 'Same.');
  expect(merged.stdout).toContain(`  Merged into:   #1 (${into})`);
  expect((await run('reader', 'incident', 'show', into)).stdout).toContain(`(${from})`);
  const elsewhere = await run('writer', 'incident', 'merge', id, '--into', into);
  expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
  expect(elsewhere.stderr).toContain('The two incidents belong to different projects.');
  const denied = await run('reader', 'incident', 'merge', id, '--into', into);
  expect(denied.stderr).toContain('incidents:write');
  expect(await run('writer', 'incident', 'merge', id)).toMatchObject({ code: 2 });
  await run('writer', 'incident', 'resolve', into);
});

it('[INC-2.1] lists, shows, acknowledges and resolves an incident', async () => {
  const list = await run('reader', 'incident', 'list');
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(new RegExp(`^${id}  open +\\S+ #1  \\S+ down\\n$`));

  const shown = await run('reader', 'incident', 'show', id);
  expect(shown.stdout).toMatch(/^Incident #1 of .+ down\n/);
  expect(shown.stdout).toContain('Connection refused.');

  const from = Date.now();
  const args = ['incident', 'acknowledge', id, '--for', '2h', '--note', 'On it.', '--json'];
  const taken = JSON.parse((await run('writer', ...args)).stdout);
  expect(taken).toMatchObject({ state: 'acknowledged' });
  const hours = (Date.parse(taken.acknowledgementEndsAt) - from) / 3_600_000;
  expect(hours).toBeGreaterThan(1.9);
  expect(hours).toBeLessThan(2.1);
  const again = await run('writer', 'incident', 'acknowledge', id);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('has already acknowledged Incident #1.');

  const over = await run('writer', 'incident', 'resolve', id, '--note', 'Replaced the disk.');
  expect(over.stdout).toContain('State:         resolved');
  expect(over.stdout).toContain('Replaced the disk.');
  expect((await run('reader', 'incident', 'list')).stdout).toBe('There are no open incidents.\n');
  expect((await run('reader', 'incident', 'list', '--all')).stdout).toContain(id);
});

it('[INC-2.1] refuses who may not, and knows nothing of other organizations', async () => {
  const denied = await run('reader', 'incident', 'resolve', id);
  expect(denied).toMatchObject({ code: 1, stdout: '' });
  expect(denied.stderr).toContain('incidents:write');
  expect(await run('stranger', 'incident', 'show', id)).toMatchObject({ code: 1, stdout: '' });
  expect((await run('stranger', 'incident', 'list', '--all')).stdout).toBe(
    'There are no incidents.\n',
  );
  const wrong = await run('writer', 'incident', 'acknowledge', id, '--for', 'soon');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('such as 90m or 2h');
  const number = await run('writer', 'incident', 'show', '1');
  expect(number).toMatchObject({ code: 2, stdout: '' });
  expect(number.stderr).toContain('1 is not the id of an incident. Ids start with inc_');
});
