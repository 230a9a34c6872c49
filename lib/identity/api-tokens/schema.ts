import { z } from 'zod';
import { TOKEN_SCOPES, type TokenScope } from '../token-scopes';

const scopeSchema = z.custom<TokenScope>(
  (value) => (TOKEN_SCOPES as readonly unknown[]).includes(value),
  { error: `A scope is one of: ${TOKEN_SCOPES.join(', ')}.` },
);

export const createApiTokenSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(80, 'A name has at most 80 characters.')
    .meta({ description: 'What it is for.' }),
  scopes: z
    .array(scopeSchema)
    .min(1, 'Choose at least one scope.')
    .max(TOKEN_SCOPES.length)
    .transform((scopes) => [...new Set(scopes)])
    .meta({
      description:
        '`all`, or any of `<resource>:read`, `<resource>:write`, `chains:run`, `approvals:read` and `approvals:decide`.',
    }),
  expiresInDays: z
    .number()
    .int()
    .min(1, 'A token must be valid for at least 1 day.')
    .max(3650, 'A token can be valid for at most 3650 days.')
    .nullable()
    .default(90)
    .meta({ description: 'Days until it expires; null: never.' }),
});
export type CreateApiTokenInput = z.infer<typeof createApiTokenSchema>;

export const apiTokenDtoSchema = z.object({
  /** `tok_…` */
  id: z.string(),
  name: z.string().meta({ description: 'What it is for.' }),
  /** `twk_••••a91c` */
  masked: z.string(),
  scopes: z.array(z.string()).meta({
    description:
      '`all`, or any of `<resource>:read`, `<resource>:write`, `chains:run`, `approvals:read` and `approvals:decide`.',
  }),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiTokenDto = z.infer<typeof apiTokenDtoSchema>;

/** The answer to creating one: the only time that the token itself is shown. */
export const createdApiTokenSchema = apiTokenDtoSchema.extend({
  token: z.string().meta({ description: 'Shown only once.' }),
});
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;
