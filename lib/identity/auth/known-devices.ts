import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/** How long a browser stays known after its last sign-in with a password. */
export const KNOWN_DEVICE_SECONDS = 180 * 86_400;

/** People who share a browser; the one who signed in longest ago is forgotten first. */
const MAX_ACCOUNTS = 5;

/** Someone who has a password. Another password makes all their devices unknown. */
interface Account {
  id: string;
  passwordHash: string | null;
}

interface Entry {
  device: string;
  expiresAt: number;
  signature: string;
}

/** Returns the device's id if the person has signed in with it and the current password, or null. */
export function findKnownDevice(
  cookie: string | undefined,
  account: Account,
  now = new Date(),
): string | null {
  return readEntries(cookie).find((entry) => isOf(entry, account, now))?.device ?? null;
}

/** Returns the value of the cookie that makes a browser known for this person. */
export function rememberDevice(
  cookie: string | undefined,
  account: Account,
  now = new Date(),
): string {
  const others = readEntries(cookie).filter((entry) => !isOf(entry, account, now));
  const device = findKnownDevice(cookie, account, now) ?? randomBytes(16).toString('base64url');
  const expiresAt = Math.floor(now.getTime() / 1000) + KNOWN_DEVICE_SECONDS;
  const entry = { device, expiresAt, signature: sign(device, expiresAt, account) };
  return [entry, ...others]
    .slice(0, MAX_ACCOUNTS)
    .map((each) => `${each.device}.${each.expiresAt}.${each.signature}`)
    .join('~');
}

function readEntries(cookie: string | undefined): Entry[] {
  return (cookie ?? '')
    .split('~')
    .slice(0, MAX_ACCOUNTS)
    .flatMap((text) => {
      const [, device, expiresAt, signature] =
        /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/.exec(text) ?? [];
      return device && signature ? [{ device, expiresAt: Number(expiresAt), signature }] : [];
    });
}

function isOf({ device, expiresAt, signature }: Entry, account: Account, now: Date): boolean {
  const expected = sign(device, expiresAt, account);
  const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  return isSigned && expiresAt * 1000 > now.getTime();
}

function sign(device: string, expiresAt: number, { id, passwordHash }: Account): string {
  return createHmac('sha256', deriveKey(env().secretKey, 'known-device'))
    .update(JSON.stringify([device, expiresAt, id, passwordHash]))
    .digest('base64url');
}
