/** PostgreSQL refuses to write because its disk is full: a trigger raises the error that it raises. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { actionErrorOf } from '@/app/_actions/result';
import { createProject } from '@/lib/projects/manage-project';
import { testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { openTenantApi } from './support/client';
import { makeTenant } from './support/tenant';

const database = useTestDatabase();

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

it('[FLT-3.3] the API and forms say that nothing can be saved, and work again once there is room', async () => {
  const tenant = await makeTenant();
  const { api } = await openTenantApi(tenant);
  await asOwner(`
    create function no_room() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
    create trigger no_room before insert on project for each row execute function no_room()`);
  const says = /^The disk of the database is full, so nothing can be saved\. Nothing was changed\./;

  const refused = await api('POST', 'projects', { body: { name: 'Shop' } });
  expect(refused.status).toBe(503);
  const { code, detail } = await refused.json();
  expect(code).toBe('disk_full');
  expect(detail).toMatch(says);
  expect(refused.headers.get('retry-after')).toBe('30');

  const input = { name: 'Shop', slug: 'shop', config: testConfig() };
  const error = await createProject(tenant.scope, input).catch(actionErrorOf);
  expect(error).toMatchObject({ message: expect.stringMatching(says), requestId: null });

  await asOwner('drop trigger no_room on project');
  expect((await api('POST', 'projects', { body: { name: 'Shop' } })).status).toBe(201);
});
