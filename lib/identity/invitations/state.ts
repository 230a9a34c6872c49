import { asRole } from '@/lib/platform/db/roles';
import { encodeId } from '@/lib/platform/ids';
import type { InvitationDto } from './schema';

export interface InvitationFacts {
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

/** Returns the state of an invitation at a time; it expires exactly at `expiresAt`. */
export function invitationState(facts: InvitationFacts, now: Date): InvitationDto['state'] {
  if (facts.acceptedAt) return 'accepted';
  if (facts.revokedAt) return 'revoked';
  return facts.expiresAt <= now ? 'expired' : 'pending';
}

/** What the person who opens the link can do. */
export type NextStep =
  | 'expired'
  | 'accepted'
  | 'revoked'
  /** Signed in with another address than the invited one. */
  | 'switch_account'
  | 'join'
  /** The invited address has an account. */
  | 'sign_in'
  | 'sign_up';

export function nextStep(
  invitation: InvitationFacts & { email: string },
  reader: { signedInAs: string | null; hasAccount: boolean },
  now: Date,
): NextStep {
  const state = invitationState(invitation, now);
  if (state !== 'pending') return state;
  if (reader.signedInAs) return reader.signedInAs === invitation.email ? 'join' : 'switch_account';
  return reader.hasAccount ? 'sign_in' : 'sign_up';
}

interface Row extends InvitationFacts {
  id: string;
  email: string;
  role: string;
  invitedBy: string;
  createdAt: Date;
  sentAt: Date;
}

export function toInvitationDto(row: Row, now: Date): InvitationDto {
  return {
    id: encodeId('inv', row.id),
    email: row.email,
    role: asRole(row.role),
    state: invitationState(row, now),
    invitedBy: row.invitedBy,
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
