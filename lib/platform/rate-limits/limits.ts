/** How often something may be tried. Counted per name and key over all web processes. */
export interface Limit {
  name: string;
  points: number;
  perSeconds: number;
}

/** By e-mail address, whether an account has it or not: the answer must not tell. */
export const SIGN_IN_PER_ACCOUNT: Limit = { name: 'sign-in-account', points: 10, perSeconds: 900 };

/**
 * By network address. Behind a proxy that is the address it reports; without one a client can
 * choose it, so the limit per account is the one that holds.
 */
export const SIGN_IN_PER_ADDRESS: Limit = { name: 'sign-in-address', points: 60, perSeconds: 900 };

export const SIGN_UP_PER_ADDRESS: Limit = { name: 'sign-up-address', points: 60, perSeconds: 3600 };

export const API_PER_TOKEN: Limit = { name: 'api-token', points: 600, perSeconds: 60 };

/** By organization: an invitation goes out to an address that has not asked for it. */
export const INVITATIONS_PER_ORGANIZATION: Limit = {
  name: 'invitations-organization',
  points: 100,
  perSeconds: 3600,
};

/** By organization: each one has a runner call an address of the person's choice. */
export const CHECK_TESTS_PER_ORGANIZATION: Limit = {
  name: 'check-tests-organization',
  points: 120,
  perSeconds: 600,
};

/** Guesses at the present password by somebody who sits at an open browser. */
export const PASSWORD_CHANGES_PER_PERSON: Limit = {
  name: 'password-person',
  points: 10,
  perSeconds: 900,
};

/** By e-mail address, whether an account has it or not. */
export const RESETS_PER_ACCOUNT: Limit = { name: 'reset-account', points: 3, perSeconds: 3600 };

export const RESETS_PER_ADDRESS: Limit = { name: 'reset-address', points: 30, perSeconds: 3600 };
