/** Incidents on the command line, as its own process against the real API. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { liveHub } from '@/lib/platform/live/hub';
import { seedIncident } from '@/tests/support/cast/incident';
import { useTestDatabase } from '@/tests/support/database';
import { startCommand } from './support/command-line';
import { type ApiServer, startApiServer } from './support/server';
import { makeTenant, type Tenant } from './support/tenant';
import { seedThreeTierChain } from './support/three-tier-chain';

useTestDatabase();

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
afterAll(async () => {
  await server.close();
  await liveHub().close();
});

const run = (who: keyof typeof tokens, ...args: string[]) =>
  startCommand(args, { TIERWATCH_URL: server.url, TIERWATCH_TOKEN: tokens[who] }).ended;

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
