/** What the audit log says about sign-ins, passwords and tokens. */

import { describe, expect, it, vi } from 'vitest';
import { enrol, me as runnerMe } from '@/app/api/runner/v1/host-routes';
import { createEnrolment, revokeRunner } from '@/lib/fleet/manage-runners';
import { createApiToken, revokeApiToken } from '@/lib/identity/api-tokens/service';
import { checkAudit } from '@/lib/identity/audit/read-audit';
import { recordAttempt } from '@/lib/identity/audit/record-account';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import {
  readAuthSession,
  revokeOwnAuthSession,
  signInBrowser,
  signOutBrowser,
  signOutEverywhere,
} from '@/lib/identity/auth/auth-sessions';
import { changePassword } from '@/lib/identity/auth/change-account';
import { createResetLink, resetPassword } from '@/lib/identity/auth/password-resets';
import { signInWithPassword, signInWithProvider } from '@/lib/identity/auth/sign-in';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { FAILED_SIGN_INS_RECORDED, SIGN_IN_PER_ACCOUNT } from '@/lib/platform/rate-limits';
import { PROTOCOL_VERSION } from '@/lib/protocol/schema';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { signedUp } from '../accounts/people';
import { openApi } from '../api/support/api';
import { joined, PASSWORD } from '../members/people';

useTestDatabase();
const WRONG = 'not the password';
const NEW = 'an entirely new password';
const client = { address: '198.51.100.7', requestId: 'req_0123456789012345678901' };

/** Entries of these kinds, oldest first. */
async function entries(scope: TenantScope, kind = 'account.') {
  return inTransaction(scope, (db) =>
    db.auditLog.findMany({ where: { action: { startsWith: kind } }, orderBy: { seq: 'asc' } }),
  );
}

/** What isn't awaited arrives a moment later. */
async function waitForActions(scope: TenantScope, actions: string[]) {
  await vi.waitFor(
    async () => expect((await entries(scope)).map(({ action }) => action)).toEqual(actions),
    { timeout: 60_000 },
  );
  return entries(scope);
}

/** Bob, who belongs to two organizations, and an outsider's organization. */
async function setUp() {
  const [alice, charlie] = [await signedUp(), await signedUp()];
  const bob = await joined(alice.scope, 'operator');
  const own = await signedUp();
  await inTransaction(own.scope, (db) =>
    db.membership.create({
      data: { organizationId: own.scope.organizationId, userId: bob.user.id, role: 'viewer' },
    }),
  );
  return { bob, logs: [alice.scope, own.scope], stranger: charlie.scope };
}

describe('[SEC-1.5] the audit log of each of a person’s organizations records', () => {
  it('sign-in and sign-out, with address and request id, and no one else’s log does', async () => {
    const { bob, logs, stranger } = await setUp();
    const from = { method: 'password', userAgent: 'Firefox', ...client };
    const id = await signInBrowser({ ...bob.user, passwordVersion: 0 }, from);
    await signOutBrowser(id, client);
    // A second one has nothing to end.
    await signOutBrowser(id, client);
    for (const log of logs) {
      const common = {
        actor: `user:${bob.user.id}`,
        target: encodeId('usr', bob.user.id),
      };
      const facts = { actorLabel: bob.email, person: bob.email, ...client };
      expect(await entries(log)).toMatchObject([
        {
          action: 'account.signed_in',
          ...common,
          detail: { ...facts, method: 'password', userAgent: 'Firefox' },
        },
        { action: 'account.signed_out', ...common, detail: facts },
      ]);
      await writeAuditAnchors();
      expect((await checkAudit(log)).isIntact).toBe(true);
    }
    expect(await entries(stranger)).toEqual([]);
  });

  it('failed sign-ins, and a lockout once', async () => {
    const { bob, logs } = await setUp();
    const tries = SIGN_IN_PER_ACCOUNT.points + 3;
    for (let count = 0; count < tries; count += 1) {
      const input = { email: bob.email, password: `${WRONG} ${count}` };
      await signInWithPassword(input, client).catch(() => {});
    }
    const failures = Array.from(
      { length: SIGN_IN_PER_ACCOUNT.points },
      () => 'account.sign_in_failed',
    );
    for (const log of logs) {
      await vi.waitFor(async () => expect(await entries(log)).toHaveLength(failures.length + 1), {
        timeout: 60_000,
      });
      const seen = await entries(log);
      expect(seen.map(({ action }) => action).sort()).toEqual(['account.locked_out', ...failures]);
      for (const { actor, detail } of seen) {
        expect(actor).toBe('system:sign-in');
        expect(detail).toMatchObject({ person: bob.email, ...client });
      }
      expect(JSON.stringify(seen.map(({ detail }) => detail))).not.toContain(WRONG);
    }
  });

  it('so many failures an hour and no more, since anyone can cause them', async () => {
    const { bob, logs } = await setUp();
    const person = { id: bob.user.id, email: bob.email };
    for (let count = 0; count < FAILED_SIGN_INS_RECORDED.points + 20; count += 1) {
      recordAttempt(person, client, 'account.sign_in_failed');
    }
    const [log] = logs as [TenantScope];
    const { points } = FAILED_SIGN_INS_RECORDED;
    await vi.waitFor(async () => expect(await entries(log)).toHaveLength(points), {
      timeout: 120_000,
    });
    // Later than whatever was still on its way.
    const from = { method: 'password', userAgent: '', ...client };
    await signInBrowser({ ...bob.user, passwordVersion: 0 }, from);
    expect((await entries(log)).length).toBe(points + 1);
  });

  it('changes of the password, and ended sign-ins', async () => {
    const { bob, logs } = await setUp();
    const from = { method: 'password', userAgent: 'Chrome', ...client };
    const here = await signInBrowser({ ...bob.user, passwordVersion: 0 }, from);
    const there = await signInBrowser({ ...bob.user, passwordVersion: 0 }, from);
    const user = await readAuthSession(here);
    if (!user) throw new Error('The sign-in is not there.');
    await revokeOwnAuthSession(user, there, client);
    await changePassword(user, { currentPassword: PASSWORD, newPassword: NEW }, client);
    const token = (await createResetLink(bob.email))?.split('/reset/')[1] ?? '';
    await resetPassword(token, PASSWORD, client);
    await signOutEverywhere(user, client);
    for (const log of logs) {
      const seen = await waitForActions(log, [
        'account.signed_in',
        'account.signed_in',
        'account.sign_in_ended',
        'account.password_changed',
        'account.password_reset',
        'account.all_sign_ins_ended',
      ]);
      for (const { detail } of seen) expect(detail).toMatchObject(client);
      const text = JSON.stringify(seen.map(({ detail }) => detail));
      for (const secret of [PASSWORD, NEW, token]) expect(text).not.toContain(secret);
    }
  });

  it('a linked provider, and that it removed the password', async () => {
    const { bob, logs } = await setUp();
    const profile = {
      provider: 'github',
      providerAccountId: bob.user.id,
      email: bob.email,
      isEmailVerified: true,
      name: 'Bob',
    };
    await signInWithProvider(profile, client);
    for (const log of logs) {
      const [linked] = await waitForActions(log, ['account.provider_linked']);
      const facts = { provider: 'github', isPasswordRemoved: true, ...client };
      expect(linked?.detail).toMatchObject(facts);
    }
  });
});

describe('[SEC-1.5] the audit log of the organization records a refused', () => {
  const requestId = /^req_\w{22}$/;

  it('API token that was revoked, once, and answers like for an unknown one', async () => {
    const { alice } = await makeCast();
    const input = { name: 'Deploy', scopes: ['all' as const], expiresInDays: 1 };
    const { token, id } = await createApiToken(alice, input);
    await revokeApiToken(alice, id);
    const api = await openApi();
    for (let count = 0; count < 3; count += 1) {
      expect((await api('GET', 'projects', { token })).status).toBe(401);
    }
    const seen = await entries(alice, 'api_token.refused');
    expect(seen).toMatchObject([
      {
        target: id,
        detail: {
          name: 'Deploy',
          reason: 'revoked',
          address: 'unknown',
          requestId: expect.stringMatching(requestId),
        },
      },
    ]);
    expect(JSON.stringify(seen[0]?.detail)).not.toContain(token);
  });

  it('API token that has expired', async () => {
    const { alice } = await makeCast();
    const input = { name: 'Old', scopes: ['all' as const], expiresInDays: 1 };
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    const { token } = await createApiToken(alice, input, twoDaysAgo);
    const api = await openApi();
    expect((await api('GET', 'projects', { token })).status).toBe(401);
    expect(await entries(alice, 'api_token.refused')).toMatchObject([
      { detail: { reason: 'expired' } },
    ]);
  });

  it('runner key and enrollment token', async () => {
    const { alice, runner, runnerKey } = await makeCast();
    await revokeRunner(alice, encodeId('rnr', runner.actor.id));
    const me = new Request('http://tierwatch.test/api/runner/v1/me', {
      headers: { authorization: `Bearer ${runnerKey}` },
    });
    const noParams = { params: Promise.resolve({}) };
    expect((await runnerMe(me, noParams)).status).toBe(401);
    expect(await entries(alice, 'runner.key_refused')).toMatchObject([
      { target: encodeId('rnr', runner.actor.id), detail: { reason: 'revoked' } },
    ]);
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    const enrolment = await createEnrolment(alice, { pool: 'default', allowedTiers: [1] }, longAgo);
    const request = new Request('http://tierwatch.test/api/runner/v1/enrol', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ protocol: PROTOCOL_VERSION, token: enrolment.token, name: 'late' }),
    });
    expect((await enrol(request, noParams)).status).toBe(401);
    expect(await entries(alice, 'runner.token_refused')).toMatchObject([
      { detail: { reason: 'expired' } },
    ]);
  });
});
