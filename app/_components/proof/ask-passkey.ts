import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { loadPart } from '../reach/load-part';

/** What a browser gave for a challenge, or a sentence about why it gave nothing. */
type Given<Answer> = { ok: true; answer: Answer } | { ok: false; message: string };

/** Has the browser use a passkey, which asks the person for it. */
export function askPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<Given<AuthenticationResponseJSON>> {
  return given(async () => {
    const { startAuthentication } = await loadPart(() => import('@simplewebauthn/browser'));
    return startAuthentication({ optionsJSON: options });
  });
}

/** Has the browser make a passkey. */
export function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<Given<RegistrationResponseJSON>> {
  return given(async () => {
    const { startRegistration } = await loadPart(() => import('@simplewebauthn/browser'));
    return startRegistration({ optionsJSON: options });
  });
}

async function given<Answer>(ask: () => Promise<Answer>): Promise<Given<Answer>> {
  try {
    return { ok: true, answer: await ask() };
  } catch (error) {
    return { ok: false, message: messageOf(error instanceof Error ? error.name : '') };
  }
}

function messageOf(name: string): string {
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'NotAllowedError') {
    return 'The browser gave no passkey: it was canceled, took too long, or there is none here. Try again.';
  }
  return 'The browser can’t use passkeys here. They need an https address with a domain name, or http://localhost.';
}
