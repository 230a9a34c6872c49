import type { AttemptWithHost } from './data';
import { type AttemptSeal, attemptSealSchema } from './schema';

const NOTHING = { bytes: null, storedBytes: null, keptUntil: null };

/** Returns what is kept of an attempt's conversation; null if the attempt hasn't ended. */
export function attemptSealOf(
  { status, sealRefusal, seals }: Pick<AttemptWithHost, 'status' | 'sealRefusal' | 'seals'>,
  now: Date,
): AttemptSeal | null {
  const [seal] = seals;
  const { state } = attemptSealSchema.shape;
  if (seal && seal.expiresAt > now) {
    return {
      state: state.parse(seal.fault ?? 'kept'),
      bytes: seal.bytes,
      storedBytes: seal.storedBytes,
      keptUntil: seal.expiresAt.toISOString(),
    };
  }
  if (seal) return { state: 'expired', ...NOTHING };
  if (sealRefusal) return { state: state.parse(sealRefusal), ...NOTHING };
  return status === 'ended' ? { state: 'none', ...NOTHING } : null;
}
