/** What the pool's runners report decides about the isolation of a new project, in every way in. */
import { beforeAll, expect, it } from 'vitest';
import { createProject as createOnPage } from '@/app/(dashboard)/[orgSlug]/projects/new/actions';
import { recordHeartbeat } from '@/lib/engine/directives';
import { canPoolConfine, revokeRunner } from '@/lib/fleet/manage-runners';
import { scopeOfMember, scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { defaultRules } from '@/lib/projects/default-rules';
import { getProject } from '@/lib/projects/manage-project';
import { listVersions } from '@/lib/projects/versions';
import type { ProjectDto } from '@/lib/projects/view';
import type { Confinement } from '@/lib/protocol/confinement';
import { openTenantApi, type TenantApi } from '@/tests/integration/api/support/client';
import { makeTenant, type Tenant } from '@/tests/integration/api/support/tenant';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { enrolTestRunner } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { useSignedIn } from '@/tests/support/signed-in';

useTestDatabase();

const signedIn = useSignedIn();

const CONFINED: Confinement = { state: 'confined', cause: null, detail: null };
const UNCONFINED: Confinement = { state: 'none', cause: 'not_installed', detail: null };

let able: Tenant;
let unable: Tenant;
let open: Record<'able' | 'unable', TenantApi['ok']>;
beforeAll(async () => {
  able = await makeTenant();
  unable = await makeTenant();
  await addRunner(able, 'sandbox-1', CONFINED);
  await addRunner(unable, 'plain-1', UNCONFINED);
  open = { able: (await openTenantApi(able)).ok, unable: (await openTenantApi(unable)).ok };
});

async function addRunner(
  { scope }: Tenant,
  name: string,
  confinement: Confinement | null,
  allowedTiers?: number[],
): Promise<void> {
  const runner = await scopeOfRunner(await enrolTestRunner(scope, name, allowedTiers));
  const capabilities = { ...TEST_CAPABILITIES, ...(confinement ? { confinement } : {}) };
  await recordHeartbeat(runner, { protocol: 1, capabilities, running: [] });
}

async function create(who: 'able' | 'unable', body: object): Promise<ProjectDto> {
  return (await open[who]('POST', 'projects', { body })) as unknown as ProjectDto;
}

it('[BND-1.3] a new project is confined where its pool can confine agents, with rules for it', async () => {
  const project = await create('able', { name: 'Shop' });
  expect(project.isolation).toBe('confined');
  for (const { tier, allowedTools, disallowedTools } of project.tiers) {
    expect({ allowedTools, disallowedTools }).toEqual(defaultRules(tier, 'confined'));
  }
});

it('[BND-1.3] it is open where its pool can’t, and the rules are those for the CLI', async () => {
  const project = await create('unable', { name: 'Shop' });
  expect(project.isolation).toBe('open');
  expect(project.tiers[1]?.allowedTools).toEqual(defaultRules(2, 'open').allowedTools);
});

it('[BND-1.3] what a document says of isolation and rules wins', async () => {
  const rules = ['Bash(docker restart web)'];
  const tiers = [{ tier: 3, allowedTools: rules }];
  const project = await create('able', { name: 'Chosen', isolation: 'open', tiers });
  expect(project.isolation).toBe('open');
  expect(project.tiers[1]?.allowedTools).toEqual(defaultRules(2, 'open').allowedTools);
  expect(project.tiers[2]?.allowedTools).toEqual(rules);
  const asked = { name: 'Asked', isolation: 'confined' };
  expect((await create('unable', asked)).isolation).toBe('confined');
});

it('[HLD-1.1] a document of an earlier version never makes a project less confined than it asked for', async () => {
  const tiers = [
    { tier: 1, isolation: 'off' },
    { tier: 2, isolation: 'required' },
  ];
  expect((await create('unable', { name: 'Required', tiers })).isolation).toBe('confined');
  expect((await create('able', { name: 'Off', tiers: tiers.slice(0, 1) })).isolation).toBe(
    'confined',
  );
  const [version] = await listVersions(able.scope, 'off');
  expect(version?.note).toBe(
    'Created. Isolation of tier 1 was ignored: it belongs to the project.',
  );
});

it('[BND-1.3] a project that exists keeps what it has', async () => {
  await create('unable', { name: 'Older' });
  await addRunner(unable, 'sandbox-2', CONFINED);
  const changed = await open.unable('PATCH', 'projects/older', { body: { maxTier: 2 } });
  expect(changed).toMatchObject({ isolation: 'open' });
  expect((await create('unable', { name: 'Newer' })).isolation).toBe('confined');
});

it('[BND-1.3] the page of a new project decides the same', async () => {
  const name = 'From the page';
  const [row] = await inTransaction(able.scope, (db) => db.membership.findMany());
  const user = { id: row?.userId ?? '', label: 'Alice', provedAt: new Date() };
  signedIn.user = { ...user, name: 'Alice', email: 'alice@example.com', authSessionId: user.id };
  await scopeOfMember(user, able.slug);
  for (const [pool, expected] of [
    ['default', 'confined'],
    ['elsewhere', 'open'],
  ] as const) {
    const result = await createOnPage({
      organizationSlug: able.slug,
      name: `${name} ${pool}`,
      harness: 'demo',
      services: [{ name: 'web', checks: [{ type: 'tcp', target: '127.0.0.1:9' }] }],
      schedule: { kind: 'manual' },
      runnerPool: pool,
    });
    if (!result.ok) throw new Error(JSON.stringify(result));
    expect((await getProject(able.scope, result.data.slug)).isolation).toBe(expected);
  }
});

it.each<[string, Confinement | null, number[] | undefined, boolean]>([
  ['confines', CONFINED, undefined, true],
  [
    'confines, with a visible process list',
    { state: 'process_list_visible', cause: 'proc_masked', detail: null },
    undefined,
    true,
  ],
  ['confines, and may only run tier 1', CONFINED, [1], true],
  ['can’t confine', UNCONFINED, undefined, false],
  ['says nothing about it', null, undefined, false],
])('a pool with a runner that %s', async (_what, confinement, allowedTiers, expected) => {
  const tenant = await makeTenant();
  expect(await canPoolConfine(tenant.scope, 'default')).toBe(false);
  await addRunner(tenant, 'runner-1', confinement, allowedTiers);
  expect(await canPoolConfine(tenant.scope, 'default')).toBe(expected);
  expect(await canPoolConfine(tenant.scope, 'other')).toBe(false);
  const [runner] = await inTransaction(tenant.scope, (db) => db.runner.findMany());
  await revokeRunner(tenant.scope, encodeId('rnr', runner?.id ?? ''));
  expect(await canPoolConfine(tenant.scope, 'default')).toBe(false);
});
