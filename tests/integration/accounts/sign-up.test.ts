import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount, isSignUpOpen, signUp } from '@/lib/identity/auth/sign-up';
import { getOrganization, listMine } from '@/lib/identity/organizations/service';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { globalDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { parseEnv } from '@/lib/platform/env';
import { InvalidError } from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { countRows, newPerson } from './people';

const database = useTestDatabase();

describe('[SAS-1.1] signing up', () => {
  it('makes the person, their organization, its owner and the audit entry', async () => {
    const input = newPerson({ name: 'Ana Ruiz', organizationName: 'Café Nord' });
    const made = await signUp(input, { address: '192.0.2.1' });

    const user = await globalDb().user.findUnique({ where: { email: input.email } });
    expect(user).toMatchObject({ id: made.userId, name: 'Ana Ruiz' });
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await listMine(made.userId)).toMatchObject([
      { slug: 'cafe-nord', name: 'Café Nord', role: 'owner', isDemo: false },
    ]);

    const scope = await scopeOfMember({ id: made.userId, label: input.email }, 'cafe-nord');
    expect(await getOrganization(scope)).toMatchObject({ slug: 'cafe-nord', pausedAt: null });
    const entries = await inTransaction(scope, (db) => db.auditLog.findMany());
    expect(entries).toMatchObject([
      {
        actor: `user:${made.userId}`,
        action: 'organization.created',
        detail: { actorLabel: input.email, after: { name: 'Café Nord', slug: 'cafe-nord' } },
      },
    ]);
    expect(JSON.stringify(entries[0]?.detail)).not.toContain(input.password);
  });

  it('[SEC-1.3] refuses a password that is easy to guess, at its field, and stores nothing', async () => {
    const input = newPerson({ name: 'Anastasia', password: 'anastasia1' });
    await expect(signUp(input, { address: '192.0.2.1' })).rejects.toMatchObject({
      fields: { password: expect.stringContaining('easy to guess') },
    });
    expect(await globalDb().user.findUnique({ where: { email: input.email } })).toBeNull();
  });

  it('gives organizations of the same name different slugs, also at the same moment', async () => {
    const people = Array.from({ length: 4 }, () => newPerson({ organizationName: 'Twin' }));
    const made = await Promise.all(people.map((person) => createAccount(person)));
    expect(made.map((one) => one.organizationSlug).sort()).toEqual([
      'twin',
      'twin-2',
      'twin-3',
      'twin-4',
    ]);
  });

  it('refuses an e-mail address that is taken, at its field', async () => {
    const person = newPerson();
    await createAccount(person);
    const error = await createAccount(person).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({ fields: { email: expect.stringContaining('Sign in instead') } });
  });

  it('leaves nothing behind when the same e-mail address signs up twice at once', async () => {
    const before = await countRows(database, 'organization');
    const person = newPerson({ organizationName: 'Once only' });
    const results = await Promise.allSettled([createAccount(person), createAccount(person)]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await countRows(database, 'organization')).toBe(before + 1);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(InvalidError);
  });

  it('never hands out a word that is a path of the product', async () => {
    const made = await createAccount(newPerson({ organizationName: 'API' }));
    expect(made.organizationSlug).toBe('api-team');
  });
});

describe('[SAS-1.1] sign-up on an installation that is reachable from outside', () => {
  let facts: Record<string, string | undefined>;
  beforeEach(() => {
    facts = {
      HOST: '0.0.0.0',
      TIERWATCH_SECRET_KEY: database.secretKey,
      TIERWATCH_APP_DATABASE_URL: database.appUrl,
      TIERWATCH_SYSTEM_DATABASE_URL: database.systemUrl,
    };
  });

  it('is closed until the operator opens it', () => {
    expect(isSignUpOpen(parseEnv(facts))).toBe(false);
    expect(isSignUpOpen(parseEnv({ ...facts, TIERWATCH_SIGN_UP: 'open' }))).toBe(true);
    expect(isSignUpOpen(parseEnv({ ...facts, HOST: '127.0.0.1' }))).toBe(true);
  });
});
