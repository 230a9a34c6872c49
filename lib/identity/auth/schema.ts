import { z } from 'zod';
import { organizationNameSchema } from '../organizations/schema';

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An e-mail address has at most 254 characters.')
  .pipe(z.email('Enter an e-mail address, such as ana@example.com.'));

/** Length makes a password hard to guess; there are no other requirements. */
export const newPasswordSchema = z
  .string()
  .min(10, 'A password has at least 10 characters.')
  .max(200, 'A password has at most 200 characters.');

const personNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter your name.')
  .max(100, 'A name has at most 100 characters.');

export const signUpSchema = z.object({
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  organizationName: organizationNameSchema,
});
export type SignUpInput = z.infer<typeof signUpSchema>;

/** A new person with an invitation, which contains their address. */
export const joinSchema = z.object({ name: personNameSchema, password: newPasswordSchema });
export type JoinInput = z.infer<typeof joinSchema>;

export const changeNameSchema = z.object({ name: personNameSchema });

export const changePasswordSchema = z.object({
  currentPassword: z.string().min(1, 'Enter your current password.').max(1_000),
  newPassword: newPasswordSchema,
});
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>;

/** Not checked further than needed to look: a wrong shape is a wrong sign-in. */
export const signInSchema = z.object({
  email: z.string().trim().toLowerCase().min(1, 'Enter your e-mail address.').max(254),
  password: z.string().min(1, 'Enter your password.').max(1_000),
});
export type SignInInput = z.infer<typeof signInSchema>;

/** What an outside provider says about the person who signed in there. */
export interface ProviderProfile {
  provider: string;
  providerAccountId: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
}

/** A signed-in person. `label` is how audit entries name them. */
export interface SignedInUser {
  id: string;
  email: string;
  name: string;
  label: string;
  authSessionId: string;
  /** When they last showed who they are in this browser. */
  provedAt: Date;
  /** When they last did with a second factor; null: never in this sign-in. */
  secondFactorAt: Date | null;
}

/** One browser in which a person is signed in. Times are ISO 8601. */
export interface AuthSessionDto {
  id: string;
  userAgent: string;
  createdAt: string;
  /** Noted every five minutes at most. */
  lastSeenAt: string;
  expiresAt: string;
  /** The browser that asks. */
  isThisOne: boolean;
}

/** The ways in which a signed-in person can show again who they are. */
export interface ConfirmationMethods {
  /** An authenticator app, or a recovery code. */
  hasCode: boolean;
  hasPasskey: boolean;
  /** Only without a second factor. */
  hasPassword: boolean;
}
