'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { actionOf } from '@/app/_actions/action-of';
import {
  leaveOrganization as leave,
  removeMember as remove,
} from '@/lib/identity/members/change-membership';
import { removeMemberSchema } from '@/lib/identity/members/schema';
import * as invitations from '@/lib/operations/invitations';
import * as members from '@/lib/operations/members';

/** A link that was not sent by e-mail is in the answer and nowhere else. */
export const inviteMember = actionOf(invitations.create);
export const resendInvitation = actionOf(invitations.resend);
export const revokeInvitation = actionOf(invitations.revoke);
export const changeRole = actionOf(members.update);

export const removeMember = action(
  z.object({ memberId: z.string() }).extend(removeMemberSchema.shape),
  async ({ scope, input }) => {
    await remove(scope, input.memberId, input);
  },
);

export const leaveOrganization = action(removeMemberSchema, async ({ scope, input }) => {
  await leave(scope, input);
  redirect('/orgs');
});
