import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { inviteMember } from '@/lib/identity/invitations/manage-invitations';
import { changeOrganizationSchema } from '@/lib/identity/organizations/schema';
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  getDeletionImpact,
  getOrganization,
  listMine,
} from '@/lib/identity/organizations/service';
import { scopeOfApiToken, scopeOfMember, scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  PreconditionFailedError,
} from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { selectAll, signedUp, withRole } from '../accounts/people';
import { fillTenant } from '../tenancy/support/filled-tenant';
import { connect, listTenantTables, probe } from '../tenancy/support/tenant-tables';

const database = useTestDatabase();
let client: pg.Client;
beforeAll(async () => {
  client = await connect(database.appUrl);
});
afterAll(() => client.end());

describe('[SAS-1.2] an organization’s name and short name', () => {
  it('are changed by an admin; the old address is nobody’s, and the audit log has both', async () => {
    const alice = await signedUp();
    const admin = withRole(alice.scope, 'admin');
    const slug = `${alice.organizationSlug}-new`.slice(0, 40);
    expect(await changeOrganization(admin, { name: 'New name', slug })).toMatchObject({
      name: 'New name',
      slug,
    });
    const user = { id: alice.userId, label: alice.email };
    await expect(scopeOfMember(user, alice.organizationSlug)).rejects.toThrow(NotFoundError);
    expect((await scopeOfMember(user, slug)).organizationId).toBe(alice.organizationId);
    const rows = await inTransaction(admin, (db) =>
      db.auditLog.findMany({ where: { action: 'organization.changed' } }),
    );
    expect(rows).toMatchObject([
      { detail: { before: { slug: alice.organizationSlug }, after: { name: 'New name', slug } } },
    ]);
  });

  it('a short name that another organization has is refused at its field, at the same moment too', async () => {
    const [one, two, three] = [await signedUp(), await signedUp(), await signedUp()];
    const taken = await changeOrganization(one.scope, { slug: three.organizationSlug }).catch(
      (error: unknown) => error,
    );
    expect(taken).toBeInstanceOf(InvalidError);
    expect(taken).toMatchObject({ fields: { slug: expect.stringContaining('another') } });
    const wanted = { slug: `${one.organizationSlug.slice(0, 30)}-both` };
    const results = await Promise.allSettled([
      changeOrganization(one.scope, wanted),
      changeOrganization(two.scope, wanted),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(InvalidError);
  });

  it.each(['sign-in', 'api', 'A b', 'x', 'invite'])('%s is no short name', (slug) => {
    expect(changeOrganizationSchema.safeParse({ slug }).success).toBe(false);
  });

  it('are not for operators', async () => {
    const alice = await signedUp();
    const attempt = changeOrganization(withRole(alice.scope, 'operator'), { name: 'Mine now' });
    await expect(attempt).rejects.toThrow(ForbiddenError);
  });
});

describe('[ENG-2.7] the denied versions of Claude Code', () => {
  it('are set by an admin, each once, and the audit log has both lists', async () => {
    const alice = await signedUp();
    const admin = withRole(alice.scope, 'admin');
    const { deniedCliVersions } = changeOrganizationSchema.parse({
      deniedCliVersions: ['2.1.197', '<2.1.100', '2.1.197'],
    });
    expect(deniedCliVersions).toEqual(['2.1.197', '<2.1.100']);
    const after = await changeOrganization(admin, { deniedCliVersions });
    expect(after).toMatchObject({ deniedCliVersions, installationDeniedCliVersions: [] });
    // The second time changes nothing, and is not recorded.
    await changeOrganization(admin, { deniedCliVersions });
    const rows = await inTransaction(admin, (db) =>
      db.auditLog.findMany({ where: { action: 'organization.changed' } }),
    );
    expect(rows).toMatchObject([
      { detail: { before: { deniedCliVersions: [] }, after: { deniedCliVersions } } },
    ]);
  });

  it.each([
    [['2.1']],
    [['>=2.1.0']],
    [['2.1.197,2.1.198']],
    [Array.from({ length: 51 }, (_, index) => `1.0.${index}`)],
  ])('%j is refused by the form and by the database', async (deniedCliVersions) => {
    expect(changeOrganizationSchema.safeParse({ deniedCliVersions }).success).toBe(false);
    const alice = await signedUp();
    await expect(changeOrganization(alice.scope, { deniedCliVersions })).rejects.toThrow();
    expect((await getOrganization(alice.scope)).deniedCliVersions).toEqual([]);
  });

  it('are not for operators, and another organization keeps its own', async () => {
    const [alice, charlie] = [await signedUp(), await signedUp()];
    const change = { deniedCliVersions: ['2.1.197'] };
    const attempt = changeOrganization(withRole(alice.scope, 'operator'), change);
    await expect(attempt).rejects.toThrow(ForbiddenError);
    await changeOrganization(alice.scope, change);
    expect((await getOrganization(charlie.scope)).deniedCliVersions).toEqual([]);
  });
});

describe('[SAS-1.2] deleting an organization', () => {
  it('leaves no row of it but the audit log, ends its keys, and touches no other', async () => {
    const [own, other] = [await fillTenant(), await fillTenant()];
    const { token } = await createApiToken(own.alice, {
      name: 'deploy',
      scopes: ['all'],
      expiresInDays: 1,
    });
    const live = await getDeletionImpact(own.alice);
    expect(live).toMatchObject({ projects: 1, members: 1, runners: 1 });
    await endLiveChains(own.organizationId);
    await deleteOrganization(own.alice, { confirmSlug: own.organizationSlug });

    const tables = (await listTenantTables(client)).filter(
      ({ name }) => !name.startsWith('audit_'),
    );
    const kept: string[] = [];
    for (const { name } of tables) {
      const of = async (id: string) => (await probe(client, id, `select from ${name}`)).count;
      if ((await of(own.organizationId)) > 0) kept.push(name);
      expect(await of(other.organizationId), name).toBeGreaterThan(0);
    }
    expect(kept, 'give these a foreign key that cascades from the organization').toEqual([]);
    await expect(scopeOfApiToken(token)).rejects.toThrow('unknown');
    await expect(scopeOfRunner(own.runnerKey)).rejects.toThrow('unknown');
    const [last] = await selectAll<{ action: string }>(
      database,
      'select action from audit_log where organization_id = $1 order by seq desc limit 1',
      [own.organizationId],
    );
    expect(last?.action).toBe('organization.deleted');
  });

  it('wants its short name, an owner, and no chain that runs', async () => {
    const { alice, organizationSlug, projectId } = await fillTenant();
    await endLiveChains(alice.organizationId);
    const confirmed = { confirmSlug: organizationSlug };
    await expect(deleteOrganization(alice, { confirmSlug: 'acme' })).rejects.toThrow(InvalidError);
    const byAdmin = () => deleteOrganization(withRole(alice, 'admin'), confirmed);
    expect(byAdmin).toThrow(ForbiddenError);
    const { chainId } = await startChain(alice, { projectId, trigger: 'manual' });
    await expect(deleteOrganization(alice, confirmed)).rejects.toThrow(ConflictError);
    await stopChain(alice, chainId);
    await deleteOrganization(alice, confirmed);
    await expect(getOrganization(alice)).rejects.toThrow(NotFoundError);
  });

  it('is refused for the demo, which the start relies on', async () => {
    const alice = await signedUp();
    await inTransaction(alice.scope, (db) =>
      db.organization.update({ where: { id: alice.organizationId }, data: { isDemo: true } }),
    );
    const attempt = deleteOrganization(alice.scope, { confirmSlug: alice.organizationSlug });
    await expect(attempt).rejects.toThrow(PreconditionFailedError);
  });
});

describe('[SAS-1.2] several organizations', () => {
  it('belong to one person, in a role each', async () => {
    const [alice, bob] = [await signedUp(), await signedUp()];
    await createOrganization({ id: bob.userId, label: bob.email }, { name: 'Second home' });
    await inviteMember(alice.scope, { email: bob.email, role: 'viewer' });
    const mine = await listMine(bob.userId);
    expect(mine.map(({ name, role }) => [name, role])).toContainEqual(['Second home', 'owner']);
    expect(mine).toHaveLength(2);
  });
});

/** As if their runners had ended them. */
async function endLiveChains(organizationId: string): Promise<void> {
  for (const sql of [
    `update attempt set status = 'ended', end_kind = 'stopped' where status <> 'ended' and organization_id = $1`,
    `update session set status = 'stopped', ended_at = now() where ended_at is null and organization_id = $1`,
    `update chain set status = 'ended', outcome = 'stopped', ended_at = now() where status <> 'ended' and organization_id = $1`,
  ]) {
    await selectAll(database, sql, [organizationId]);
  }
}

describe('[FLT-6.3] the retention of logs', () => {
  it('is 30 days until an admin changes it, for their organization alone, and the audit log has both', async () => {
    const [alice, charlie] = [await signedUp(), await signedUp()];
    expect((await getOrganization(alice.scope)).logRetentionDays).toBe(30);
    const admin = withRole(alice.scope, 'admin');
    expect(await changeOrganization(admin, { logRetentionDays: 90 })).toMatchObject({
      logRetentionDays: 90,
    });
    expect((await getOrganization(charlie.scope)).logRetentionDays).toBe(30);
    const rows = await inTransaction(admin, (db) =>
      db.auditLog.findMany({ where: { action: 'organization.changed' } }),
    );
    expect(rows).toMatchObject([
      { detail: { before: { logRetentionDays: 30 }, after: { logRetentionDays: 90 } } },
    ]);
    const attempt = changeOrganization(withRole(alice.scope, 'operator'), { logRetentionDays: 1 });
    await expect(attempt).rejects.toThrow(ForbiddenError);
  });

  it('is a whole number of days', () => {
    expect(changeOrganizationSchema.safeParse({ logRetentionDays: 1.5 }).success).toBe(false);
  });

  it.each([0, 366])('%d days are refused by the form and by the database', async (days) => {
    const change = { logRetentionDays: days };
    expect(changeOrganizationSchema.safeParse(change).success).toBe(false);
    const alice = await signedUp();
    await expect(changeOrganization(alice.scope, change)).rejects.toThrow();
    expect((await getOrganization(alice.scope)).logRetentionDays).toBe(30);
  });
});
