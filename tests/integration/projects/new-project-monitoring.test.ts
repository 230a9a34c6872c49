/** What a new project does without being told more, in every way in. */
import { expect, it } from 'vitest';
import { createProject as createOnPage } from '@/app/(dashboard)/[orgSlug]/projects/new/actions';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { getCurrentProject } from '@/lib/projects/versions';
import { openTenantApi } from '@/tests/integration/api/support/client';
import { makeTenant, type Tenant } from '@/tests/integration/api/support/tenant';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { useSignedIn } from '@/tests/support/signed-in';

const database = useTestDatabase();

const signedIn = useSignedIn();

const services = [{ name: 'web', checks: [{ type: 'tcp', target: '127.0.0.1:9' }] }];
const TWICE_A_DAY = { kind: 'interval', everySeconds: 43_200 };

async function onPage({ scope, slug }: Tenant, input: object): Promise<string> {
  const [row] = await inTransaction(scope, (db) => db.membership.findMany());
  const id = row?.userId ?? '';
  const user = { id, label: 'Alice', provedAt: new Date(), authSessionId: id };
  signedIn.user = { ...user, name: 'Alice', email: 'alice@example.com' };
  const result = await createOnPage({
    ...{ organizationSlug: slug, name: 'Shop', harness: 'demo', services },
    ...{ schedule: { kind: 'manual' }, runnerPool: 'default' },
    ...input,
  } as never);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.data.slug;
}

/** The checks that a runner will be given, by service. */
function plannedOf({ scope }: Tenant) {
  return inTransaction(scope, (db) =>
    db.serviceCheck.findMany({
      where: { removedAt: null },
      select: { everySeconds: true, service: { select: { name: true } } },
    }),
  );
}

it('[INC-1.2] a project made by the API checks every minute, and its agent looks twice a day', async () => {
  const tenant = await makeTenant();
  const { ok } = await openTenantApi(tenant);
  const made = await ok('POST', 'projects', { body: { name: 'Shop', services } });
  expect(made).toMatchObject({
    monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
    startOn: { checkChange: true },
    schedule: TWICE_A_DAY,
  });
  await assignCheckers();
  expect(await plannedOf(tenant)).toEqual([{ everySeconds: 60, service: { name: 'web' } }]);
});

it('[INC-1.2] what a document says wins, and a change of something else leaves the checks off', async () => {
  const tenant = await makeTenant();
  const { ok } = await openTenantApi(tenant);
  const off = { name: 'Shop', services, monitoring: { everySeconds: null } };
  const schedule = { kind: 'interval', everySeconds: 600 };
  await ok('POST', 'projects', { body: { ...off, schedule } });
  const changed = await ok('PATCH', 'projects/shop', { body: { maxTier: 2 } });
  expect(changed).toMatchObject({ monitoring: { everySeconds: null }, schedule });
  await assignCheckers();
  expect(await plannedOf(tenant)).toEqual([]);
});

it('[INC-1.2] a project that was stored before such checks keeps them off', async () => {
  const tenant = await makeTenant();
  const { ok } = await openTenantApi(tenant);
  await ok('POST', 'projects', { body: { name: 'Shop', services } });
  await runSql(
    database.superuserUrl,
    `update project_version set config = config - 'monitoring'
      where organization_id = '${tenant.scope.organizationId}'`,
  );
  expect((await getCurrentProject(tenant.scope, 'shop')).config.monitoring.everySeconds).toBeNull();
  const changed = await ok('PATCH', 'projects/shop', { body: { maxTier: 2 } });
  expect(changed).toMatchObject({ monitoring: { everySeconds: null } });
  await assignCheckers();
  expect(await plannedOf(tenant)).toEqual([]);
});

it('[INC-1.2] the page of a new project does the same, unless its form says otherwise', async () => {
  const tenant = await makeTenant();
  const slug = await onPage(tenant, {});
  expect((await getCurrentProject(tenant.scope, slug)).config).toMatchObject({
    monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
    startOn: { checkChange: true },
  });
  const other = await onPage(tenant, { name: 'Off', monitoring: { everySeconds: null } });
  const { config } = await getCurrentProject(tenant.scope, other);
  expect(config.monitoring).toEqual({ everySeconds: null, failures: 2, lastResults: 3 });
  const tooOften = onPage(tenant, { name: 'Fast', monitoring: { everySeconds: 1 } });
  await expect(tooOften).rejects.toThrow('Enter a time of 30s to 1d.');
});
