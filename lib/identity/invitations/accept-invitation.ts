import { v7 as uuidv7 } from 'uuid';
import { hashPassword } from '@/lib/platform/crypto/password';
import { hashToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/networks';
import { consume, SIGN_UP_PER_NETWORK } from '@/lib/platform/rate-limits';
import { recordAudit } from '../audit/record-audit';
import { findUserByEmail, insertUser, isEmailConflict } from '../auth/data';
import { refuseWeakPassword } from '../auth/password-strength';
import type { JoinInput, SignedInUser } from '../auth/schema';
import { insertMember } from '../members/data';
import { findInvitationOfLink, type InvitationOfLink, scopeOfInvitee } from '../tenancy/make-scope';
import { markInvitationAccepted } from './data';
import { type NextStep, nextStep } from './state';

interface OpenedInvitation extends InvitationOfLink {
  step: NextStep;
}

/** Returns what a link's page shows; null for an unknown or replaced link. Changes nothing. */
export async function openInvitation(
  token: string,
  user: Pick<SignedInUser, 'email'> | null,
  now = new Date(),
): Promise<OpenedInvitation | null> {
  const invitation = await findInvitationOfLink(token);
  if (!invitation) return null;
  const hasAccount = (await findUserByEmail(invitation.email)) !== null;
  const step = nextStep(invitation, { signedInAs: user?.email ?? null, hasAccount }, now);
  return { ...invitation, step };
}

/**
 * Adds the signed-in person to the organization. Throws NotFoundError for an unknown link,
 * ForbiddenError if it is for another address, ConflictError if it is no longer open.
 */
export async function acceptInvitation(
  token: string,
  user: Pick<SignedInUser, 'id' | 'email' | 'label'>,
  now = new Date(),
): Promise<{ organizationSlug: string }> {
  const invitation = await getOpenInvitation(token, user, now);
  await inTransaction(scopeOfInvitee(user, invitation), (db) =>
    join(db, scopeOfInvitee(user, invitation), invitation, token, user.id, now),
  );
  return { organizationSlug: invitation.organizationSlug };
}

/**
 * Makes the account of the invited address and joins with it, also where sign-up is closed: who
 * has the link was asked in, and reads the address's mail. Throws as `acceptInvitation`, and
 * InvalidError for a password that is easy to guess.
 */
export async function joinAsNewPerson(
  token: string,
  input: JoinInput,
  client: { address: string },
  now = new Date(),
): Promise<{ userId: string; email: string; organizationSlug: string }> {
  await consume(SIGN_UP_PER_NETWORK, networkOf(client.address));
  const invitation = await getOpenInvitation(token, null, now);
  const { email, organizationSlug } = invitation;
  if (await findUserByEmail(email)) throw accountExists(email);
  await refuseWeakPassword('password', input.password, [email, input.name]);
  const userId = uuidv7();
  const passwordHash = await hashPassword(input.password);
  const scope = scopeOfInvitee({ id: userId, label: email }, invitation);
  try {
    await inTransaction(scope, async (db) => {
      await insertUser(db, { id: userId, email, name: input.name, passwordHash });
      await join(db, scope, invitation, token, userId, now);
    });
  } catch (error) {
    throw isEmailConflict(error) ? accountExists(email) : error;
  }
  return { userId, email, organizationSlug };
}

/** Claims the invitation first: of two that come at once, the second finds it used. */
async function join(
  db: TenantDb,
  scope: TenantScope,
  invitation: InvitationOfLink,
  token: string,
  userId: string,
  now: Date,
): Promise<void> {
  const { id, role, email, invitedBy } = invitation;
  if (!(await markInvitationAccepted(db, id, hashToken(token), now))) {
    throw new ConflictError(
      'This invitation was used, revoked or sent again. Open the most recent link.',
    );
  }
  const isNew = await insertMember(db, { userId, role });
  await recordAudit(db, scope, {
    action: 'member.joined',
    target: encodeId('mem', userId),
    detail: {
      invitation: encodeId('inv', id),
      invitedBy,
      ...(isNew ? { after: { email, role } } : { note: 'They were already a member.' }),
    },
  });
}

async function getOpenInvitation(
  token: string,
  user: Pick<SignedInUser, 'email'> | null,
  now: Date,
): Promise<InvitationOfLink> {
  const opened = await openInvitation(token, user, now);
  if (!opened) throw new NotFoundError('This link is not valid. It was replaced by a newer one.');
  const { step, email, invitedBy } = opened;
  if (step === 'switch_account') {
    throw new ForbiddenError(`This invitation is for ${email}. Sign in with that address.`);
  }
  if (step === 'expired' || step === 'accepted' || step === 'revoked') {
    throw new ConflictError(`This invitation is ${step}. Ask ${invitedBy} for a new one.`);
  }
  return opened;
}

function accountExists(email: string): ConflictError {
  return new ConflictError(`${email} has an account. Sign in with it to join.`);
}
