const TEXTS: Record<string, string> = {
  email_not_verified:
    'The provider has not verified your e-mail address. Verify it there, then sign in again.',
  sign_up_closed: 'Sign-up is closed on this installation. Ask an admin for an invitation.',
  CredentialsSignin: 'E-mail or password is wrong.',
  AccessDenied: 'The provider refused the sign-in. Try again, or use your password.',
};

const OTHER = 'The sign-in with the provider did not finish. Try again, or use your password.';

/** What to say for `?error=`, which next-auth or our own callbacks set; null without one. */
export function providerErrorText(code: string | undefined): string | null {
  if (!code) return null;
  return TEXTS[code] ?? OTHER;
}
