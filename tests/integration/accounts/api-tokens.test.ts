import { describe, expect, it } from 'vitest';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import {
  createApiToken,
  listApiTokens,
  revokeApiToken,
  touchApiToken,
} from '@/lib/identity/api-tokens/service';
import { scopeOfApiToken } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, NotFoundError, UnauthenticatedError } from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { selectAll, signedUp, withRole } from './people';

const database = useTestDatabase();
const input = createApiTokenSchema.parse({ name: 'Deploy', scopes: ['projects:read'] });
const DAY_MS = 86_400_000;

describe('[SAS-6.2] an API token', () => {
  it('is shown once and kept as a hash', async () => {
    const { scope } = await signedUp();
    const { token, ...made } = await createApiToken(scope, input);
    expect(token).toMatch(/^twk_[0-9A-Za-z]{49}$/);
    const { data } = await listApiTokens(scope, { limit: 10 });
    expect(data).toEqual([made]);
    expect(made.masked).toBe(`twk_••••${token.slice(-4)}`);
    const rows = await selectAll<{ text: string }>(
      database,
      `select t::text as text from api_token t union all select a::text from audit_log a`,
    );
    expect(rows.map((row) => row.text).join('\n')).not.toContain(token.slice(4));
  });

  it('acts for its organization with its scopes', async () => {
    const { scope, organizationId } = await signedUp();
    const { token } = await createApiToken(scope, input);
    expect(await scopeOfApiToken(token)).toMatchObject({
      organizationId,
      actor: { kind: 'api_token', scopes: ['projects:read'] },
      role: 'viewer',
    });
  });

  it('is refused after its end and once it is revoked', async () => {
    const { scope } = await signedUp();
    const now = new Date();
    const made = await createApiToken(scope, { ...input, expiresInDays: 1 }, now);
    const end = new Date(now.getTime() + DAY_MS);
    expect(made.expiresAt).toBe(end.toISOString());
    await scopeOfApiToken(made.token, new Date(end.getTime() - 1));
    await expect(scopeOfApiToken(made.token, end)).rejects.toThrow(UnauthenticatedError);
    const revoked = await revokeApiToken(scope, made.id);
    expect(revoked.revokedAt).not.toBeNull();
    await expect(scopeOfApiToken(made.token, now)).rejects.toThrow(UnauthenticatedError);
  });

  it('stays revoked as it was when it is revoked again, with one audit entry', async () => {
    const { scope } = await signedUp();
    const { id } = await createApiToken(scope, input);
    const first = await revokeApiToken(scope, id);
    expect(await revokeApiToken(scope, id)).toEqual(first);
    const entries = await inTransaction(scope, (db) =>
      db.auditLog.findMany({ where: { target: id }, orderBy: { seq: 'asc' } }),
    );
    expect(entries.map((entry) => entry.action)).toEqual([
      'api_token.created',
      'api_token.revoked',
    ]);
  });

  it.each(['viewer', 'operator'] as const)('is out of reach for the %s role', async (role) => {
    const { scope } = await signedUp();
    const { id } = await createApiToken(scope, input);
    const low = withRole(scope, role);
    await expect(createApiToken(low, input)).rejects.toThrow(ForbiddenError);
    await expect(listApiTokens(low, { limit: 10 })).rejects.toThrow(ForbiddenError);
    await expect(revokeApiToken(low, id)).rejects.toThrow(ForbiddenError);
  });

  it('[SAS-1.3] of another organization is not there', async () => {
    const [alice, charlie] = [await signedUp(), await signedUp({ name: 'Charlie' })];
    const { id, token } = await createApiToken(alice.scope, input);
    await expect(revokeApiToken(charlie.scope, id)).rejects.toThrow(NotFoundError);
    expect((await listApiTokens(charlie.scope, { limit: 10 })).data).toEqual([]);
    await scopeOfApiToken(token);
  });

  it('makes no stronger one than itself', async () => {
    const { scope } = await signedUp();
    const { token } = await createApiToken(scope, { ...input, scopes: ['tokens:write'] });
    const ofToken = await scopeOfApiToken(token);
    await createApiToken(ofToken, { ...input, scopes: ['tokens:read'] });
    const stronger = createApiToken(ofToken, { ...input, scopes: ['all'] });
    await expect(stronger).rejects.toThrow(ForbiddenError);
  });

  it('pages newest first', async () => {
    const { scope } = await signedUp();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await createApiToken(scope, input)).id);
    const first = await listApiTokens(scope, { limit: 2 });
    const second = await listApiTokens(scope, { limit: 2, cursor: first.nextCursor ?? undefined });
    expect([...first.data, ...second.data].map((token) => token.id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  it('notes its last use at most once a minute', async () => {
    const { scope } = await signedUp();
    const ofToken = await scopeOfApiToken((await createApiToken(scope, input)).token);
    const start = new Date('2026-11-21T10:00:00Z');
    const later = (ms: number) => new Date(start.getTime() + ms);
    const usedAt = async () => (await listApiTokens(scope, { limit: 1 })).data[0]?.lastUsedAt;
    expect(await usedAt()).toBeNull();
    await touchApiToken(ofToken, start);
    await touchApiToken(ofToken, later(59_000));
    expect(await usedAt()).toBe(start.toISOString());
    await touchApiToken(ofToken, later(61_000));
    expect(await usedAt()).toBe(later(61_000).toISOString());
  });
});
