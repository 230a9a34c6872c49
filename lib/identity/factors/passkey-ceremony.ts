import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { PasskeyRow } from './data';

export type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON };

/** How long a browser may take to answer. */
export const CHALLENGE_MS = 5 * 60_000;

/** Returns what a browser needs to make a passkey; those the person has are not made again. */
export function creationOptions(
  person: { id: string; email: string },
  known: readonly PasskeyRow[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: 'Tierwatch',
    rpID: relyingParty().id,
    userName: person.email,
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout: CHALLENGE_MS,
  });
}

type NewPasskey = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** Returns the passkey that a browser made, or null when it doesn't answer this challenge here. */
export async function readCreation(answer: unknown, challenge: string): Promise<NewPasskey | null> {
  const { id, origin } = relyingParty();
  const result = await verified(() =>
    verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    }),
  );
  if (!result?.verified) return null;
  const { credential } = result.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: credential.transports ?? [],
  };
}

/** Asks for one of these passkeys; without any, for whichever the browser knows, with its PIN or the like. */
export function requestOptions(
  passkeys: readonly PasskeyRow[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const isAlone = passkeys.length === 0;
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: isAlone ? 'required' : 'preferred',
    timeout: CHALLENGE_MS,
  });
}

/**
 * Returns the passkey's new counter, or null when the answer isn't to this challenge, from this
 * installation's pages, by this passkey, or is a repeated one. `isAlone`: no password was asked for,
 * so the authenticator must have verified its user.
 */
export async function readAssertion(
  answer: unknown,
  challenge: string,
  passkey: PasskeyRow,
  { isAlone }: { isAlone: boolean },
): Promise<number | null> {
  const { id, origin } = relyingParty();
  const result = await verified(() =>
    verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: Number(passkey.counter),
        transports: passkey.transports as AuthenticatorTransport[],
      },
      requireUserVerification: isAlone,
    }),
  );
  return result?.verified ? result.authenticationInfo.newCounter : null;
}

/** The library throws for whatever doesn't fit; what it says is for the log. */
async function verified<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    logger.info({ error: String(error) }, 'passkey refused');
    return null;
  }
}

function descriptorOf({ credentialId, transports }: PasskeyRow) {
  return { id: credentialId, transports: transports as AuthenticatorTransport[] };
}

const LOOPBACK_ADDRESSES = ['127.0.0.1', '[::1]'];

/** Browsers have no passkeys for IP addresses, but do for `localhost`, which is this machine as well. */
function relyingParty(): { id: string; origin: string } {
  const url = new URL(env().publicUrl);
  if (LOOPBACK_ADDRESSES.includes(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}
