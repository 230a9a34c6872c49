import { z } from 'zod';
import { emailSchema } from '../auth/schema';
import { roleSchema } from '../members/schema';

export const INVITATION_DAYS = 7;

export const createInvitationSchema = z.object({
  email: emailSchema.meta({
    description: 'Address of the invitation; the link only works for this address.',
  }),
  role: roleSchema,
});
export type CreateInvitationInput = z.infer<typeof createInvitationSchema>;

const INVITATION_STATES = ['pending', 'expired', 'accepted', 'revoked'] as const;

export const invitationDtoSchema = z.object({
  /** `inv_…` */
  id: z.string(),
  email: z
    .string()
    .meta({ description: 'Address of the invitation; the link only works for this address.' }),
  role: roleSchema,
  state: z.enum(INVITATION_STATES),
  invitedBy: z.string(),
  createdAt: z.string(),
  /** When its present link was made. */
  sentAt: z.string(),
  expiresAt: z.string(),
});
export type InvitationDto = z.infer<typeof invitationDtoSchema>;

/** The answer to inviting and to sending again. */
export const sentInvitationSchema = invitationDtoSchema.extend({
  link: z
    .string()
    .nullable()
    .meta({ description: 'Shown only once; null if it was sent by e-mail.' }),
  /** Why no e-mail went out; null when one did, or when none was to. */
  mailProblem: z.string().nullable(),
});
export type SentInvitation = z.infer<typeof sentInvitationSchema>;
