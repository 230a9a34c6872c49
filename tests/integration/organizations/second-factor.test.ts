/** What an organization asks of its members' sign-ins, and of its owners before sensitive actions. */
import { describe, expect, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import { confirmWithCode, confirmWithPassword } from '@/lib/identity/auth/confirm-identity';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { removeApp, resetFactors } from '@/lib/identity/factors/manage-factors';
import { inviteMember } from '@/lib/identity/invitations/manage-invitations';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { listMembers } from '@/lib/identity/members/list-members';
import {
  countWithoutSecondFactor,
  setSecondFactorRequired,
} from '@/lib/identity/organizations/second-factor-requirement';
import { deleteOrganization } from '@/lib/identity/organizations/service';
import { scopeOfApiToken, scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { eventStream } from '@/lib/platform/live/event-stream';
import { CONFIRMATIONS_PER_SIGN_IN } from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import { addApp, codeOf, newStepClient, signedInUser, wrongCode } from '../accounts/factors';
import { signedUp } from '../accounts/people';
import { joined, PASSWORD } from '../members/people';

useTestDatabase();
const MINUTE_MS = 60_000;
const later = () => new Date(Date.now() + 11 * MINUTE_MS);

function caught(work: () => Promise<unknown>): Promise<unknown> {
  return Promise.resolve()
    .then(work)
    .then(
      () => null,
      (error: unknown) => error,
    );
}

async function actionsOf(scope: TenantScope): Promise<string[]> {
  const rows = await inTransaction(scope, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' }, select: { action: true } }),
  );
  return rows.map((row) => row.action);
}

/** Alice owns an organization and has an app; Bob is a member without a second factor. */
async function setUp() {
  const alice = await signedUp();
  const bob = await joined(alice.scope, 'admin');
  const app = await addApp(alice.userId);
  const scope = await scopeOfMember(app.user, alice.organizationSlug);
  return { ...alice, ...app, scope, bob };
}

async function required() {
  const cast = await setUp();
  await setSecondFactorRequired(cast.scope, true);
  return cast;
}

describe('[SEC-1.4] an organization that requires a second factor', () => {
  it('is closed to members without one, at once, and open to those with one', async () => {
    const { scope, organizationSlug, user, bob } = await required();
    const bobUser = await signedInUser(bob.user.id);
    expect(await caught(() => scopeOfMember(bobUser, organizationSlug))).toMatchObject({
      code: 'second_factor_required',
    });
    expect((await scopeOfMember(user, organizationSlug)).role).toBe('owner');
    const app = await addApp(bob.user.id);
    expect((await scopeOfMember(app.user, organizationSlug)).role).toBe('admin');
    expect(await countWithoutSecondFactor(scope)).toBe(0);
  });

  it('asks the sign-in for it, whatever the person has: one without is not let in', async () => {
    const { organizationSlug, user } = await required();
    const withoutIt: SignedInUser = { ...user, secondFactorAt: null };
    expect(await caught(() => scopeOfMember(withoutIt, organizationSlug))).toMatchObject({
      code: 'second_factor_required',
    });
  });

  it('isn’t reached through another organization’s address', async () => {
    const { scope, bob } = await required();
    const other = await signedUp();
    await inTransaction(other.scope, (db) =>
      db.membership.create({
        data: {
          organizationId: other.scope.organizationId,
          userId: bob.user.id,
          role: 'owner',
        },
      }),
    );
    const user = await signedInUser(bob.user.id);
    const elsewhere = await scopeOfMember(user, other.organizationSlug);
    const { data } = await listMembers(elsewhere, { limit: 100 });
    expect(data.map((member) => member.email)).not.toContain(scope.actor.label);
    const found = await inTransaction(elsewhere, (db) => db.membership.findMany({}));
    expect(new Set(found.map((row) => row.organizationId))).toEqual(
      new Set([other.scope.organizationId]),
    );
  });

  it('looks like any other to people who aren’t members', async () => {
    const { organizationSlug } = await required();
    const stranger = await signedInUser((await signedUp()).userId);
    expect(await caught(() => scopeOfMember(stranger, organizationSlug))).toMatchObject({
      code: 'not_found',
    });
  });

  it('ends the open streams of members without one', async () => {
    const { scope, organizationSlug, bob } = await setUp();
    const user = await signedInUser(bob.user.id);
    const controller = new AbortController();
    const response = eventStream({
      topics: [`o:${scope.organizationId}`],
      owner: { subject: user.id, organizations: [scope.organizationId] },
      signal: controller.signal,
      isStillAllowed: async () => Boolean(await scopeOfMember(user, organizationSlug)),
      onHint: async (send) => send({ data: 'here' }),
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await setSecondFactorRequired(scope, true);
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) break;
    }
    controller.abort();
  });

  it('leaves API tokens alone: their scopes limit them', async () => {
    const { scope } = await setUp();
    const input = { name: 'Reader', scopes: ['projects:read' as const], expiresInDays: 1 };
    const { token } = await createApiToken(scope, input);
    await setSecondFactorRequired(scope, true);
    expect((await scopeOfApiToken(token)).organizationId).toBe(scope.organizationId);
  });

  it('keeps a member from removing their last one, and lets them once it is optional', async () => {
    const { scope, user, name: _, organizationSlug } = await required();
    const error = await caught(() => removeApp(user, newStepClient()));
    expect(error).toMatchObject({ code: 'precondition_failed' });
    expect((await scopeOfMember(user, organizationSlug)).role).toBe('owner');
    await setSecondFactorRequired(scope, false);
    await removeApp(user, newStepClient());
    expect((await actionsOf(scope)).slice(-3)).toEqual([
      'organization.second_factor_required',
      'organization.second_factor_optional',
      'account.factor_removed',
    ]);
  });

  it('is turned on and off by owners with a second factor alone', async () => {
    const { scope, bob } = await setUp();
    expect(await caught(() => setSecondFactorRequired(bob.scope, true))).toMatchObject({
      code: 'forbidden',
    });
    const without = await signedUp();
    expect(await caught(() => setSecondFactorRequired(without.scope, true))).toMatchObject({
      code: 'precondition_failed',
    });
    for (const isRequired of [true, false]) {
      expect(await caught(() => setSecondFactorRequired(scope, isRequired, later()))).toMatchObject(
        {
          code: 'proof_required',
        },
      );
    }
  });

  it('shows admins who has none, and nobody below', async () => {
    const { scope, bob, email } = await setUp();
    const seen = async (reader: TenantScope) =>
      (await listMembers(reader, { limit: 10 })).data.map((row) => [
        row.email,
        row.hasSecondFactor,
      ]);
    expect(await seen(scope)).toEqual([
      [email, true],
      [bob.email, false],
    ]);
    const viewer = await joined(scope, 'viewer');
    expect((await seen(viewer.scope)).map(([, has]) => has)).toEqual([null, null, null]);
  });

  it('asks again after an operator has removed a person’s factors', async () => {
    const { userId, email, organizationSlug, scope } = await required();
    await resetFactors({ id: userId, email });
    expect(await actionsOf(scope)).toContain('account.factors_reset');
    const user = await signedInUser(userId);
    expect(await caught(() => scopeOfMember(user, organizationSlug))).toMatchObject({
      code: 'second_factor_required',
    });
  });
});

describe('[SEC-1.4] sensitive actions ask for a confirmation of the last 10 minutes', () => {
  async function old() {
    const cast = await setUp();
    const { memberId } = cast.bob;
    const acts: Record<string, (now: Date) => Promise<unknown>> = {
      'deleting the organization': (now) =>
        deleteOrganization(cast.scope, { confirmSlug: 'no' }, now),
      'making someone owner': (now) =>
        changeRole(cast.scope, memberId, { role: 'owner', revokeTokens: true }, now),
      'inviting an owner': (now) =>
        inviteMember(cast.scope, { email: 'new@example.com', role: 'owner' }, now),
      'a token that can do everything': (now) =>
        createApiToken(cast.scope, { name: 'T', scopes: ['all'], expiresInDays: 1 }, now),
      'a token that makes tokens': (now) =>
        createApiToken(cast.scope, { name: 'T', scopes: ['tokens:write'], expiresInDays: 1 }, now),
    };
    return { ...cast, acts };
  }

  it('and are refused without one, with nothing changed', async () => {
    const { acts, scope } = await old();
    const before = await actionsOf(scope);
    for (const [name, act] of Object.entries(acts)) {
      expect(await caught(() => act(later())), name).toMatchObject({ code: 'proof_required' });
    }
    expect(await actionsOf(scope)).toEqual(before);
  });

  it('and are done after one', async () => {
    const { acts } = await old();
    const now = new Date();
    for (const [name, act] of Object.entries(acts)) {
      const error = await caught(() => act(now));
      expect((error as { code?: string } | null)?.code, name).not.toBe('proof_required');
    }
  });

  it('and so is removing an owner, while other acts need none', async () => {
    const { scope, bob } = await setUp();
    const now = new Date();
    await changeRole(scope, bob.memberId, { role: 'owner', revokeTokens: true }, now);
    const remove = (at: Date) => removeMember(scope, bob.memberId, { revokeTokens: true }, at);
    expect(await caught(() => remove(later()))).toMatchObject({ code: 'proof_required' });
    await changeRole(scope, bob.memberId, { role: 'viewer', revokeTokens: true }, now);
    await remove(later());
  });

  it('from tokens and the command line they ask for none', async () => {
    const { scope } = await setUp();
    const { token } = await createApiToken(scope, { name: 'T', scopes: ['all'], expiresInDays: 1 });
    const asToken = await scopeOfApiToken(token);
    await createApiToken(asToken, { name: 'T2', scopes: ['all'], expiresInDays: 1 }, later());
  });
});

describe('[SEC-1.4] a confirmation', () => {
  it('is made with the password by those who have nothing else, and recorded', async () => {
    const { scope, userId } = await signedUp().then(async (alice) => {
      const bob = await joined(alice.scope, 'owner');
      return { scope: alice.scope, userId: bob.user.id };
    });
    const user = await signedInUser(userId);
    const wrong = await caught(() => confirmWithPassword(user, 'not it', newStepClient()));
    expect(wrong).toMatchObject({ code: 'invalid', fields: { password: expect.any(String) } });
    const at = new Date(Date.now() + 60 * MINUTE_MS);
    await confirmWithPassword(user, PASSWORD, newStepClient(), at);
    const proved = await readAuthSession(user.authSessionId);
    expect(proved).toMatchObject({ provedAt: at, secondFactorAt: null });
    expect(await actionsOf(scope)).toContain('account.confirmed');
  });

  it('is made with a code by those who have an app: the password isn’t enough', async () => {
    const { user, password, secret, scope } = await setUp();
    expect(await caught(() => confirmWithPassword(user, password, newStepClient()))).toMatchObject({
      code: 'precondition_failed',
    });
    expect(
      await caught(() => confirmWithCode(user, wrongCode(secret), newStepClient())),
    ).toMatchObject({ code: 'invalid', fields: { code: expect.any(String) } });
    await confirmWithCode(user, codeOf(secret), newStepClient());
    expect(
      await caught(() => confirmWithCode(user, codeOf(secret), newStepClient())),
    ).toMatchObject({ code: 'invalid' });
    expect(await actionsOf(scope)).toContain('account.confirmed');
  });

  it('counts for its own sign-in alone, and not once that has ended', async () => {
    const alice = await signedUp();
    const [one, two] = [await signedInUser(alice.userId), await signedInUser(alice.userId)];
    const at = new Date(Date.now() + 60 * MINUTE_MS);
    await confirmWithPassword(one, alice.password, newStepClient(), at);
    expect((await readAuthSession(two.authSessionId))?.provedAt).not.toEqual(at);
  });

  it('can’t be guessed', async () => {
    const { user, secret, recoveryCodes } = await setUp();
    for (let count = 0; count < CONFIRMATIONS_PER_SIGN_IN.points - 1; count += 1) {
      await caught(() => confirmWithCode(user, wrongCode(secret), newStepClient()));
    }
    await caught(() => confirmWithCode(user, wrongCode(secret), newStepClient()));
    const right = await caught(() =>
      confirmWithCode(user, recoveryCodes[0] ?? '', newStepClient()),
    );
    expect(right).toMatchObject({ code: 'limit_exceeded' });
  });
});
