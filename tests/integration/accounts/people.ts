import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type SigningIn, signInBrowser } from '@/lib/identity/auth/auth-sessions';
import type { SignUpInput } from '@/lib/identity/auth/schema';
import { createAccount } from '@/lib/identity/auth/sign-up';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TestDatabase } from '@/tests/support/database';

/** Someone who has no account yet. */
export function newPerson(known: Partial<SignUpInput> = {}): SignUpInput {
  const tag = randomBytes(6).toString('hex');
  return {
    name: 'Alice',
    email: `alice-${tag}@example.com`,
    password: `a long password ${tag}`,
    organizationName: `Organization ${tag}`,
    ...known,
  };
}

/** Someone with an account, and their scope as the owner of their organization. */
export async function signedUp(known: Partial<SignUpInput> = {}) {
  const person = newPerson(known);
  const made = await createAccount(person);
  const scope = await scopeOfMember(
    { id: made.userId, label: person.email, provedAt: new Date() },
    made.organizationSlug,
  );
  return { ...person, ...made, scope };
}

/** A sign-in of someone without a second factor, by id. Returns its id. */
export function openedSignIn(userId: string, userAgent = '', now = new Date()): Promise<string> {
  const person: SigningIn = { id: userId, email: 'someone@example.com', passwordVersion: null };
  return signInBrowser(person, { method: 'password', userAgent, address: '192.0.2.8' }, now);
}

/** The same organization, seen by someone of another role. */
export function withRole(scope: TenantScope, role: Role): TenantScope {
  return { ...scope, role };
}

/** As the database's superuser, whom row-level security does not bind. */
export async function selectAll<Row>(
  database: TestDatabase,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

export async function countRows(database: TestDatabase, table: string): Promise<number> {
  const [row] = await selectAll<{ count: number }>(
    database,
    `select count(*)::int as count from ${table}`,
  );
  return row?.count ?? 0;
}
