import { z } from 'zod';
import { ROLES } from '@/lib/platform/db/roles';

export const roleSchema = z
  .enum(ROLES, { error: 'Choose viewer, operator, admin or owner.' })
  .meta({
    description: 'What they may do: viewer reads, operator runs, admin configures, owner deletes.',
  });

export const memberDtoSchema = z.object({
  /** `mem_…` */
  id: z.string(),
  name: z.string(),
  email: z
    .string()
    .nullable()
    .meta({ description: 'Their address; null for readers below admin.' }),
  role: roleSchema,
  joinedAt: z.string(),
  /** When a browser of theirs was last seen; null before the first time and for readers below admin. */
  lastSeenAt: z.string().nullable(),
  /** Valid API tokens that they made; null for readers below admin. */
  tokenCount: z.number().int().nullable(),
  hasSecondFactor: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether they have a second factor; null for readers below admin.' }),
});
export type MemberDto = z.infer<typeof memberDtoSchema>;

const revokeTokensSchema = z
  .boolean()
  /** Anyone who created a token may still have a copy. */
  .default(true)
  .meta({ description: 'Whether to revoke the tokens that the person created, too.' });

export const changeRoleSchema = z.object({
  role: roleSchema,
  /** Only admins and owners may have tokens: whether to revoke the ones the person created. */
  revokeTokens: revokeTokensSchema,
});
export type ChangeRoleInput = z.infer<typeof changeRoleSchema>;

export const removeMemberSchema = z.object({ revokeTokens: revokeTokensSchema });
export type RemoveMemberInput = z.infer<typeof removeMemberSchema>;
