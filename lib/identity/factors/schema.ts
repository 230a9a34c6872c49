import { z } from 'zod';

/** Which of a person's factors showed who they are. */
export type FactorKind = 'totp' | 'passkey' | 'recovery_code';

/** Digits of an app's code or letters of a recovery code, with any spaces and hyphens. */
export const codeSchema = z.object({
  code: z.string().trim().min(1, 'Enter a code.').max(64, 'A code is shorter than this.'),
});

/** What a browser answers to a passkey challenge. The library checks the rest of its shape. */
export const passkeyAnswerSchema = z.object({
  answer: z.looseObject({ id: z.string().max(2_000), rawId: z.string().max(2_000) }),
});

export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name, such as “Work laptop”.')
  .max(60, 'A passkey’s name has at most 60 characters.');

/** Times are ISO 8601. */
export interface FactorsDto {
  /** Null without an authenticator app. */
  totp: { addedAt: string; lastUsedAt: string | null } | null;
  passkeys: PasskeyDto[];
  recoveryCodesLeft: number;
}

export interface PasskeyDto {
  id: string;
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
}

/** Someone with an account, in one of their sign-ins. `id` and `authSessionId` are UUIDs. */
export interface Holder {
  id: string;
  email: string;
  authSessionId: string;
  /** When they last showed who they are in this sign-in. */
  provedAt: Date;
}
