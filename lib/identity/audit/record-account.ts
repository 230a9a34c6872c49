import { type AccountDb, inAccountTransaction } from '@/lib/platform/db/account-db';
import type { Client } from '@/lib/platform/http/client-address';
import { encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { FAILED_SIGN_INS_RECORDED, isWithinLimit } from '@/lib/platform/rate-limits';
import type { AuditAction } from './actions';
import { appendAccountAudit } from './data';

type AccountAction = Extract<AuditAction, `account.${string}`>;

/** Someone with an account; `id` is a UUID. */
interface Person {
  id: string;
  email: string;
}

/**
 * Records what a person did with their account, in the audit log of each of their organizations, in
 * the transaction of the change: no audit, no change. Call it last before the commit. Without an
 * organization there is no log, and nothing is recorded.
 */
export async function recordAccount(
  db: AccountDb,
  person: Person,
  client: Client,
  action: AccountAction,
  facts: Record<string, unknown> = {},
): Promise<void> {
  const actor = { ref: `user:${person.id}`, label: person.email };
  await append(db, person, client, actor, action, facts);
}

/** The same for what someone on the machine did with a person's account. */
export async function recordForOperator(
  db: AccountDb,
  person: Person,
  action: AccountAction,
  facts: Record<string, unknown> = {},
): Promise<void> {
  const actor = { ref: 'system:command-line', label: 'Command line' };
  await append(db, person, null, actor, action, facts);
}

type Attempt = Extract<
  AccountAction,
  'account.sign_in_failed' | 'account.locked_out' | 'account.code_failed'
>;

/**
 * Records what someone unknown tried with a person's account. Not awaited, since the time would tell
 * which accounts exist; and limited, since anyone can make these entries.
 */
export function recordAttempt(
  person: Person | null,
  client: Client,
  action: Attempt,
  facts: Record<string, unknown> = {},
): void {
  logger.info({ action, ...client, ...facts }, 'sign-in refused');
  if (!person) return;
  const record = async () => {
    if (!(await isWithinLimit(FAILED_SIGN_INS_RECORDED, `${action} ${person.id}`))) return;
    const actor = { ref: 'system:sign-in', label: 'Someone unknown' };
    await inAccountTransaction((db) => append(db, person, client, actor, action, facts));
  };
  record().catch((error: unknown) => {
    logger.error({ error: String(error), action }, 'could not write to the audit log');
  });
}

async function append(
  db: AccountDb,
  person: Person,
  client: Client | null,
  actor: { ref: string; label: string },
  action: AccountAction,
  facts: Record<string, unknown>,
): Promise<void> {
  const detail = { actorLabel: actor.label, person: person.email, ...facts, ...client };
  const target = encodeId('usr', person.id);
  await appendAccountAudit(db, person.id, [{ actor: actor.ref, action, target, detail }]);
}
