'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  inviteMember as invite,
  resendInvitation as resend,
  revokeInvitation as revoke,
} from '@/lib/identity/invitations/manage-invitations';
import { createInvitationSchema } from '@/lib/identity/invitations/schema';
import {
  changeRole as change,
  leaveOrganization as leave,
  removeMember as remove,
} from '@/lib/identity/members/change-membership';
import { changeRoleSchema, removeMemberSchema } from '@/lib/identity/members/schema';

const memberSchema = z.object({ memberId: z.string() });
const invitationSchema = z.object({ invitationId: z.string() });

/** A link that was not sent by e-mail is in the answer and nowhere else. */
export const inviteMember = action(createInvitationSchema, ({ scope, input }) =>
  invite(scope, input),
);

export const resendInvitation = action(invitationSchema, ({ scope, input }) =>
  resend(scope, input.invitationId),
);

export const revokeInvitation = action(invitationSchema, async ({ scope, input }) => {
  await revoke(scope, input.invitationId);
});

export const changeRole = action(
  memberSchema.extend(changeRoleSchema.shape),
  async ({ scope, input }) => {
    await change(scope, input.memberId, input);
  },
);

export const removeMember = action(
  memberSchema.extend(removeMemberSchema.shape),
  async ({ scope, input }) => {
    await remove(scope, input.memberId, input);
  },
);

export const leaveOrganization = action(removeMemberSchema, async ({ scope, input }) => {
  await leave(scope, input);
  redirect('/orgs');
});
