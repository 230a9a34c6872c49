import { asRole } from '@/lib/platform/db/roles';
import { encodeId } from '@/lib/platform/ids';
import type { InvitationDto } from './schema';
import { type InvitationFacts, invitationState } from './state';

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
