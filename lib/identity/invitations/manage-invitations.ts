import { z } from 'zod';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import { asRole, ROLES, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { isMailConfigured, sendMail } from '@/lib/platform/mail';
import { consume, INVITATIONS_PER_ORGANIZATION } from '@/lib/platform/rate-limits';
import { recordAudit } from '../audit/record-audit';
import { findPersonName } from '../members/data';
import { grantableRoles } from '../members/decide';
import { getOrganizationRow } from '../organizations/data';
import { requireRecentProofOf } from '../tenancy/recent-proof';
import { requireMay } from '../tenancy/role-matrix';
import {
  findInvitation,
  findOpenInvitation,
  type InvitationRow,
  insertInvitation,
  isMemberByEmail,
  isOpenInvitationConflict,
  listOpenInvitations,
  markInvitationRevoked,
  renewInvitation,
} from './data';
import {
  type CreateInvitationInput,
  INVITATION_DAYS,
  type InvitationDto,
  type SentInvitation,
} from './schema';
import { toInvitationDto } from './state';

const LIFETIME_MS = INVITATION_DAYS * 86_400_000;

/** What the response contains in addition to the row, and the text of the e-mail. */
interface Written {
  row: InvitationRow;
  organizationName: string;
}

/**
 * Invites an address. One that has an open invitation gets a new link with the new role, and the
 * previous link stops working. Throws ConflictError for a member, ForbiddenError for more than the actor
 * has, LimitExceededError, and ProofRequiredError for an owner.
 */
export async function inviteMember(
  scope: TenantScope,
  { email, role }: CreateInvitationInput,
  now = new Date(),
): Promise<SentInvitation> {
  requireGrantable(scope, role);
  if (role === 'owner') requireRecentProofOf(scope, now);
  await consume(INVITATIONS_PER_ORGANIZATION, scope.organizationId);
  const token = mintToken('inv');
  const link = { tokenHash: hashToken(token), sentAt: now, expiresAt: endOf(now) };
  const write = () =>
    inTransaction(scope, async (db) => {
      if (await isMemberByEmail(db, email)) {
        throw new ConflictError(`${email} is already a member. Change their role instead.`);
      }
      const invitedBy = await nameOfActor(db, scope);
      const open = await findOpenInvitation(db, email);
      if (open) requireGrantable(scope, asRole(open.role));
      if (open) await renewInvitation(db, open.id, { ...link, invitedBy, role });
      const row = open
        ? { ...open, ...link, invitedBy, role }
        : await insertInvitation(db, { ...link, email, role, invitedBy });
      return finish(db, scope, open ? 'invitation.resent' : 'invitation.created', row);
    });
  const written = await write().catch((error) => {
    if (!isOpenInvitationConflict(error)) throw error;
    // Somebody has invited the address in the same moment: theirs is open now.
    return write();
  });
  return deliver(written, token, now);
}

/** Creates a new link that expires in seven days; the previous one stops working. Throws ConflictError once it is used. */
export async function resendInvitation(
  scope: TenantScope,
  invitationId: string,
  now = new Date(),
): Promise<SentInvitation> {
  requireMay(scope, 'member.manage');
  const id = requireId('inv', invitationId);
  await consume(INVITATIONS_PER_ORGANIZATION, scope.organizationId);
  const token = mintToken('inv');
  const link = { tokenHash: hashToken(token), sentAt: now, expiresAt: endOf(now) };
  const written = await inTransaction(scope, async (db) => {
    const before = await findInvitation(db, id);
    if (!before) throw new NotFoundError();
    requireGrantable(scope, asRole(before.role));
    const invitedBy = await nameOfActor(db, scope);
    if (!(await renewInvitation(db, id, { ...link, invitedBy }))) {
      throw new ConflictError('This invitation was used or revoked. Invite the address again.');
    }
    return finish(db, scope, 'invitation.resent', { ...before, ...link, invitedBy });
  });
  return deliver(written, token, now);
}

async function finish(
  db: TenantDb,
  scope: TenantScope,
  action: 'invitation.created' | 'invitation.resent',
  row: InvitationRow,
): Promise<Written> {
  const { name } = await getOrganizationRow(db);
  await recordAudit(db, scope, {
    action,
    target: encodeId('inv', row.id),
    detail: { after: { email: row.email, role: row.role, expiresAt: row.expiresAt } },
  });
  return { row, organizationName: name };
}

/** By e-mail where the installation can; otherwise, and when that fails, the link is answered. */
async function deliver(
  { row, organizationName }: Written,
  token: string,
  now: Date,
): Promise<SentInvitation> {
  const dto = toInvitationDto(row, now);
  const link = invitationLink(env().publicUrl, token);
  if (!isMailConfigured()) return { ...dto, link, mailProblem: null };
  const { invitedBy, role, email } = row;
  const mail = invitationMail({ organizationName, invitedBy, role, link });
  const sent = await sendMail({ to: email, ...mail });
  if (sent.ok) return { ...dto, link: null, mailProblem: null };
  return { ...dto, link, mailProblem: sent.problem };
}

function requireGrantable(scope: TenantScope, role: Role): void {
  requireMay(scope, 'member.manage');
  if (!grantableRoles(scope.role, ROLES).includes(role)) {
    throw new ForbiddenError(`Only an owner can invite an owner. Your role is ${scope.role}.`);
  }
}

/** The person's name, since that is who the invited one asks; a token's otherwise. */
async function nameOfActor(db: TenantDb, { actor }: TenantScope): Promise<string> {
  const name = actor.kind === 'user' ? await findPersonName(db, actor.id) : null;
  return name || actor.label;
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS);
}

/**
 * Returns invitations that were neither accepted nor revoked, including expired ones, newest first.
 */
export async function listInvitations(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: InvitationDto[]; nextCursor: string | null }> {
  // A token is bounded by its scope members:read, which an admin gave it.
  if (scope.actor.kind !== 'api_token') requireMay(scope, 'member.manage');
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, (db) =>
    listOpenInvitations(db, { limit: page.limit, beforeId }),
  );
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map((row) => toInvitationDto(row, now)), nextCursor };
}

/** Its link stops working immediately. A second time, or once it was used, changes nothing. */
export function revokeInvitation(
  scope: TenantScope,
  invitationId: string,
  now = new Date(),
): Promise<InvitationDto> {
  requireMay(scope, 'member.manage');
  const id = requireId('inv', invitationId);
  return inTransaction(scope, async (db) => {
    const before = await findInvitation(db, id);
    if (!before) throw new NotFoundError();
    if (!(await markInvitationRevoked(db, id, now))) return toInvitationDto(before, now);
    await recordAudit(db, scope, {
      action: 'invitation.revoked',
      target: invitationId,
      detail: { before: { email: before.email, role: before.role } },
    });
    return toInvitationDto({ ...before, revokedAt: now }, now);
  });
}

interface InvitationMailFacts {
  organizationName: string;
  invitedBy: string;
  role: string;
  link: string;
}

/** What an invited person reads. Plain text: nothing in it loads anything. */
function invitationMail({ organizationName, invitedBy, role, link }: InvitationMailFacts): {
  subject: string;
  text: string;
} {
  const article = /^[aeo]/.test(role) ? 'an' : 'a';
  return {
    subject: `${invitedBy} invites you to ${organizationName} on Tierwatch`,
    text: [
      `${invitedBy} invites you to join ${organizationName} on Tierwatch as ${article} ${role}.`,
      '',
      'Open this link to join:',
      link,
      '',
      `The link works once, only for this address, and expires in ${INVITATION_DAYS} days.`,
      'If you weren’t expecting this, ignore this message.',
      '',
    ].join('\n'),
  };
}

/** Where an invitation is accepted. The token is in it, so it goes to one person. */
function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}/invite/${token}`;
}
