import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';

/** Argon2id (the library's default kind) with the parameters that OWASP recommends; memory in KiB. */
export const PASSWORD_PARAMETERS = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const satisfies Options;

/** Hash of a discarded random password. A test checks that its parameters equal those above. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$oLPPIbZrai/+Mhebe5W84g$wlzHb6WH2oSEvFcY2Cq1nq8juOFj9HhuO4ao4gUN/Vg';

export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), PASSWORD_PARAMETERS);
}

/**
 * Whether the password belongs to the stored hash. Pass null for an unknown account: the same work
 * is done, so that the time of the answer does not tell which accounts exist.
 */
export async function verifyPassword(
  password: string,
  storedHash: string | null,
): Promise<boolean> {
  const isRight = await verify(storedHash ?? NOBODYS_HASH, normalize(password));
  return isRight && storedHash !== null;
}

/** Whether a hash was made with other parameters than today's: hash again after a right sign-in. */
export function isOutdatedHash(storedHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(storedHash);
  return (
    memoryCost !== PASSWORD_PARAMETERS.memoryCost ||
    timeCost !== PASSWORD_PARAMETERS.timeCost ||
    parallelism !== PASSWORD_PARAMETERS.parallelism
  );
}

/** The same password typed on two keyboards may arrive as different code points. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
