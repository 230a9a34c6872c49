import { z } from 'zod';
import type { ProviderProfile } from './schema';

export const claimsSchema = z.object({
  sub: z.string().optional(),
  email: z
    .string()
    .nullish()
    .transform((email) => (email ?? '').trim().toLowerCase()),
  // Some providers send the text "true".
  email_verified: z
    .union([z.boolean(), z.string()])
    .nullish()
    .transform((verified) => verified === true || verified === 'true'),
  name: z.string().nullish(),
  login: z.string().nullish(),
});

/** What a provider's answer says about the person, whichever provider it was. */
export function readProviderProfile(
  account: { provider: string; providerAccountId: string },
  answer: unknown,
): ProviderProfile {
  const claims = claimsSchema.parse(answer);
  return {
    provider: account.provider,
    providerAccountId: account.providerAccountId,
    email: claims.email,
    isEmailVerified: claims.email !== '' && claims.email_verified,
    name: (claims.name || claims.login || claims.email).slice(0, 100),
  };
}

const gitHubEmailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** GitHub's user carries no mark of verification; its list of addresses does. */
export function withGitHubEmail(user: Record<string, unknown>, emails: unknown) {
  const parsed = gitHubEmailsSchema.safeParse(emails);
  const primary = parsed.success ? parsed.data.find((entry) => entry.primary) : undefined;
  return { ...user, email: primary?.email ?? '', email_verified: primary?.verified ?? false };
}
