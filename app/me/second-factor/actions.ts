'use server';

import { headers } from 'next/headers';
import { encode } from 'uqr';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  beginApp,
  beginPasskey,
  confirmApp,
  finishPasskey,
  removeApp as removeOwnApp,
  removePasskey as removeOwnPasskey,
  renewRecoveryCodes as renewCodes,
} from '@/lib/identity/factors/manage-factors';
import { codeSchema, passkeyAnswerSchema, passkeyNameSchema } from '@/lib/identity/factors/schema';
import { readClient } from '@/lib/platform/http/client-address';

const nothing = z.object({});

/** The secret is in the answer, for the app, and never again. */
export const startApp = action(
  nothing,
  async ({ user }) => {
    const { secret, uri } = await beginApp(user);
    return { secret, qr: qrPath(uri) };
  },
  { auth: 'user' },
);

/** Recovery codes come with the first factor, in this answer alone. */
export const addApp = action(
  codeSchema,
  async ({ user, input }) => confirmApp(user, input.code, readClient(await headers())),
  { auth: 'user' },
);

export const removeApp = action(
  nothing,
  async ({ user }) => removeOwnApp(user, readClient(await headers())),
  { auth: 'user' },
);

/** Returns what the browser needs to make a passkey. */
export const startPasskey = action(nothing, ({ user }) => beginPasskey(user), { auth: 'user' });

export const addPasskey = action(
  passkeyAnswerSchema.extend({ name: passkeyNameSchema }),
  async ({ user, input }) => finishPasskey(user, input, readClient(await headers())),
  { auth: 'user' },
);

export const removePasskey = action(
  z.object({ passkeyId: z.uuid() }),
  async ({ user, input }) => removeOwnPasskey(user, input.passkeyId, readClient(await headers())),
  { auth: 'user' },
);

export const renewRecoveryCodes = action(
  nothing,
  async ({ user }) => ({
    recoveryCodes: await renewCodes(user, readClient(await headers())),
  }),
  { auth: 'user' },
);

/** Modules of quiet space around a code, which readers need. */
const QUIET = 4;

/** Returns a QR code as an SVG path of its dark modules, in a square of `size` units. */
function qrPath(text: string): { size: number; path: string } {
  const { data } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: data.length, path };
}
