import type { ResumeReason } from './reasons';
import type { Pointer, Runtime } from './schema';

/**
 * What the control plane's copy of a conversation is worth on the claiming host. `expected`: the
 * runner that holds the conversation may still be sending it.
 */
export type SealState =
  | 'usable'
  | 'expected'
  | 'none'
  | 'refused'
  | 'expired'
  | 'differs'
  | 'unusable'
  | 'unsupported';

/** A runner sends the conversation right after the result; by now it has, or can't. */
const EXPECTED_SECONDS = 60;

export function sealState(pointer: Pointer, runtime: Runtime, now: Date): SealState {
  const { seal, transcript } = pointer;
  if (seal === null) {
    if (pointer.isSealRefused) return 'refused';
    const ageMs = now.getTime() - pointer.createdAt.getTime();
    const isRecent = ageMs <= EXPECTED_SECONDS * 1_000;
    return runtime.isOwnerSealing && isRecent ? 'expected' : 'none';
  }
  if (seal.fault !== null) return 'unusable';
  if (seal.expiresAt <= now) return 'expired';
  if (seal.sha256 !== transcript?.sha256 || seal.bytes !== transcript.bytes) return 'differs';
  return runtime.canOpenSeals ? 'usable' : 'unsupported';
}

/** Reasons of a start without the conversation, where its copy can't be used. */
export const SEAL_REASONS = {
  expected: 'UNREACHABLE',
  none: 'UNREACHABLE',
  refused: 'SEAL_REFUSED',
  expired: 'SEAL_EXPIRED',
  differs: 'SEAL_DIFFERS',
  unusable: 'SEAL_UNUSABLE',
  unsupported: 'SEAL_UNSUPPORTED',
} as const satisfies Record<Exclude<SealState, 'usable'>, ResumeReason>;
