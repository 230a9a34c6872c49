import { Prisma } from '@/generated/prisma/client';
import { globalDb, lookUp } from '@/lib/platform/db/global-db';

export async function insertPasswordReset(row: {
  tokenHash: string;
  userId: string;
  expiresAt: Date;
}): Promise<void> {
  await globalDb().passwordReset.create({ data: row });
}

export function findPasswordReset(tokenHash: string) {
  return globalDb().passwordReset.findUnique({
    where: { tokenHash },
    select: { expiresAt: true, usedAt: true, user: { select: { email: true } } },
  });
}

/**
 * Uses the link, sets the password and ends every sign-in of the person, in one statement; other
 * links of theirs die with it. False when the link was used before, or has ended.
 */
export async function spendReset(
  tokenHash: string,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const rows = await lookUp(Prisma.sql`
    with used as (
      update password_reset set used_at = ${now}
      where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
      returning user_id),
    others as (
      update password_reset set used_at = ${now}
      from used
      where password_reset.user_id = used.user_id and used_at is null and token_hash <> ${tokenHash}),
    signed_out as (
      update auth_session set revoked_at = ${now}
      from used
      where auth_session.user_id = used.user_id and revoked_at is null)
    update user_account set password_hash = ${passwordHash}
    from used
    where user_account.id = used.user_id
    returning user_account.id`);
  return rows.length === 1;
}
