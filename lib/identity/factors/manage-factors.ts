import { type AccountDb, inAccountTransaction } from '@/lib/platform/db/account-db';
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  PreconditionFailedError,
  UnauthenticatedError,
} from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { CONFIRMATIONS_PER_SIGN_IN, consume } from '@/lib/platform/rate-limits';
import { recordAccount, recordForOperator } from '../audit/record-account';
import { requireRecentProof } from '../tenancy/recent-proof';
import { openTotpSecret, recoveryHash, sealTotpSecret } from './check-code';
import {
  acceptedStep,
  newRecoveryCodes,
  newTotpSecret,
  normalizeRecoveryCode,
  totpUri,
} from './codes';
import {
  confirmTotp,
  countFactors,
  countRecoveryCodes,
  deleteFactors,
  deletePasskey,
  deleteTotp,
  endSignIns,
  findRequiringOrganization,
  findTotp,
  insertPasskey,
  listPasskeys,
  lockPerson,
  markProved,
  putUnconfirmedTotp,
  replaceRecoveryCodes,
  setChallenge,
  takeChallenge,
} from './data';
import {
  CHALLENGE_MS,
  creationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  readCreation,
} from './passkey-ceremony';
import type { FactorsDto, Holder } from './schema';

const MAX_PASSKEYS = 20;
const RESTART = 'The set-up was started again elsewhere. Start it once more.';

/** Returns the second factors of a person, for the page where they change them. */
export async function getFactors(userId: string): Promise<FactorsDto> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    findTotp(userId),
    listPasskeys(userId),
    countRecoveryCodes(userId),
  ]);
  return {
    totp: totp?.confirmedAt
      ? {
          addedAt: totp.confirmedAt.toISOString(),
          lastUsedAt: totp.lastUsedAt?.toISOString() ?? null,
        }
      : null,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      addedAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft,
  };
}

/**
 * Returns a new secret for an authenticator app. The app becomes a factor when `confirmApp` accepts a code.
 * Throws ConflictError when the person has an app, ProofRequiredError.
 */
export async function beginApp(
  holder: Holder,
  now = new Date(),
): Promise<{ secret: string; uri: string }> {
  requireRecentProof(holder.provedAt, now);
  const secret = newTotpSecret();
  if (!(await putUnconfirmedTotp(holder.id, sealTotpSecret(secret, holder.id)))) {
    throw new ConflictError(
      'You have an authenticator app. Remove it first to set up another one.',
    );
  }
  return { secret, uri: totpUri(secret, holder.email) };
}

/** What adding a factor answers: recovery codes with the first one, to show once. */
interface Added {
  recoveryCodes: string[] | null;
}

/** Throws InvalidError at the field for a wrong code. */
export async function confirmApp(
  holder: Holder,
  code: string,
  client: Client,
  now = new Date(),
): Promise<Added> {
  requireRecentProof(holder.provedAt, now);
  await consume(CONFIRMATIONS_PER_SIGN_IN, holder.authSessionId);
  return inAccountTransaction(async (db) => {
    await lockPerson(db, holder.id);
    const totp = await findTotp(holder.id, db);
    if (!totp || totp.confirmedAt) throw new ConflictError(RESTART);
    const secret = openTotpSecret(totp.secretSealed, holder.id);
    const step = acceptedStep({ secret, lastStep: null }, code.replace(/\s/g, ''), now);
    if (step === null) {
      const message = 'This code is wrong. Enter the one your app shows now.';
      throw new InvalidError(message, { code: message });
    }
    const isFirst = (await countFactors(holder.id, db)) === 0;
    if (!(await confirmTotp(db, totp, step, now))) throw new ConflictError(RESTART);
    return added(db, holder, client, { factor: 'totp' }, isFirst, now);
  });
}

/** Returns what the browser needs to make a passkey. Throws ProofRequiredError. */
export async function beginPasskey(
  holder: Holder,
  now = new Date(),
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  requireRecentProof(holder.provedAt, now);
  const known = await listPasskeys(holder.id);
  if (known.length >= MAX_PASSKEYS) {
    throw new PreconditionFailedError(
      `You have ${MAX_PASSKEYS} passkeys, which is the limit. Remove one first.`,
    );
  }
  const options = await creationOptions(holder, known);
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await setChallenge(holder.authSessionId, options.challenge, expiresAt);
  return options;
}

/** Throws InvalidError for an answer that doesn't fit the challenge, which has then ended. */
export async function finishPasskey(
  holder: Holder,
  { answer, name }: { answer: unknown; name: string },
  client: Client,
  now = new Date(),
): Promise<Added> {
  requireRecentProof(holder.provedAt, now);
  const challenge = await takeChallenge(holder.authSessionId, now);
  const made = challenge ? await readCreation(answer, challenge) : null;
  if (!made) throw new InvalidError('The passkey wasn’t accepted. Start again.');
  return inAccountTransaction(async (db) => {
    await lockPerson(db, holder.id);
    const isFirst = (await countFactors(holder.id, db)) === 0;
    await insertPasskey(db, { ...made, userId: holder.id, name });
    return added(db, holder, client, { factor: 'passkey', name }, isFirst, now);
  });
}

/** The first factor ends sign-ins that were made without one. */
async function added(
  db: AccountDb,
  holder: Holder,
  client: Client,
  facts: Record<string, unknown>,
  isFirst: boolean,
  now: Date,
): Promise<Added> {
  if (!(await markProved(db, holder, true, now))) throw new UnauthenticatedError();
  let recoveryCodes: string[] | null = null;
  if (isFirst) {
    await endSignIns(db, holder.id, holder.authSessionId, now);
    recoveryCodes = await renewCodes(db, holder.id);
  }
  await recordAccount(db, holder, client, 'account.factor_added', facts);
  return { recoveryCodes };
}

/**
 * Removes the app. Throws PreconditionFailedError for the last factor while an organization of the
 * person requires one, ProofRequiredError.
 */
export function removeApp(holder: Holder, client: Client, now = new Date()): Promise<void> {
  return remove(holder, client, now, async (db) =>
    (await deleteTotp(db, holder.id)) ? { factor: 'totp' } : null,
  );
}

/** Throws as `removeApp`. */
export function removePasskey(
  holder: Holder,
  passkeyId: string,
  client: Client,
  now = new Date(),
): Promise<void> {
  return remove(holder, client, now, async (db) => {
    const name = await deletePasskey(db, holder.id, passkeyId);
    return name === null ? null : { factor: 'passkey', name };
  });
}

async function remove(
  holder: Holder,
  client: Client,
  now: Date,
  deleteIt: (db: AccountDb) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  requireRecentProof(holder.provedAt, now);
  await inAccountTransaction(async (db) => {
    await lockPerson(db, holder.id);
    const facts = await deleteIt(db);
    if (!facts) throw new NotFoundError('It has been removed already.');
    if ((await countFactors(holder.id, db)) === 0) {
      const organization = await findRequiringOrganization(db, holder.id);
      if (organization) {
        throw new PreconditionFailedError(
          `${organization} requires a second factor, and this is your last one. Add another one first.`,
        );
      }
      await replaceRecoveryCodes(db, holder.id, []);
    }
    await recordAccount(db, holder, client, 'account.factor_removed', facts);
  });
}

/** Replaces the recovery codes and returns the new ones, to show once. */
export function renewRecoveryCodes(
  holder: Holder,
  client: Client,
  now = new Date(),
): Promise<string[]> {
  requireRecentProof(holder.provedAt, now);
  return inAccountTransaction(async (db) => {
    await lockPerson(db, holder.id);
    if ((await countFactors(holder.id, db)) === 0) {
      throw new PreconditionFailedError('Set up a second factor first.');
    }
    const codes = await renewCodes(db, holder.id);
    await recordAccount(db, holder, client, 'account.recovery_codes_created');
    return codes;
  });
}

async function renewCodes(db: AccountDb, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryHash(normalizeRecoveryCode(code) ?? '', userId));
  await replaceRecoveryCodes(db, userId, hashes);
  return codes;
}

/**
 * Removes all second factors of a person and signs them out everywhere, for someone on the machine
 * who has made sure who asks. Returns false when there were none.
 */
export function resetFactors(
  person: { id: string; email: string },
  now = new Date(),
): Promise<boolean> {
  return inAccountTransaction(async (db) => {
    await lockPerson(db, person.id);
    if ((await countFactors(person.id, db)) === 0) return false;
    await deleteFactors(db, person.id);
    await endSignIns(db, person.id, null, now);
    await recordForOperator(db, person, 'account.factors_reset');
    return true;
  });
}
