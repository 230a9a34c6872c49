/**
 * Guards about the host: whether the process would find the conversation on a host that can read
 * it. The runner compares what only the host's disk can tell right before it starts the process:
 * see `RUNNER_CHECKS`.
 */
import { denialOf } from '@/lib/fleet/denied-versions';
import type { ResumeReason } from '../reasons';
import type { Pointer, Runtime } from '../schema';
import { carry, firstOf, type Guard, pointerGuard } from './guard';

const NOT_REPORTED = 'The runner did not report this.';

const host = pointerGuard(
  'G18',
  'The conversation is on this host or has a sealed copy',
  ({ request, pointer, runtime, policy, now }) => {
    const sameHost = pointer.runnerId === runtime.runnerId;
    const { isOwnerReachable, isOwnerProven, canOwnerConfine, ownerCliVersion } = runtime;
    const isOwnerCliDenied = denialOf(ownerCliVersion, policy.deniedCliVersions) !== null;
    const transcriptBytes = pointer.transcript?.bytes ?? null;
    const mayWait = request.waitLeftMs > 0;
    const seal = sealState(pointer, runtime, now);
    const compared = {
      sameHost,
      isOwnerReachable,
      isOwnerProven,
      canOwnerConfine,
      ownerCliVersion,
      isOwnerCliDenied,
      seal,
      waitLeftMs: request.waitLeftMs,
      transcriptBytes,
      maxTranscriptBytes: policy.maxTranscriptBytes,
    };
    return firstOf(
      compared,
      [
        // It would not be allowed to start there, so waiting is pointless.
        [!sameHost && isOwnerCliDenied, carry('OWNER_CLI_DENYLISTED')],
        [sameHost && !isOwnerReachable, carry('UNREACHABLE')],
        [
          !sameHost && isOwnerReachable && isOwnerProven && canOwnerConfine && mayWait,
          { to: 'wait', reason: 'ROUTE_TO_HOST' },
        ],
        [!sameHost && seal === 'expected' && mayWait, { to: 'wait', reason: 'SEAL_EXPECTED' }],
        [!sameHost && !canOwnerConfine && seal !== 'usable', carry('OWNER_UNCONFINED')],
        [!sameHost && !isOwnerProven && seal !== 'usable', carry('OWNER_UNPROVEN')],
        ...(seal === 'usable' ? [] : [[!sameHost, carry(SEAL_REASONS[seal])] as const]),
        [(transcriptBytes ?? 0) > policy.maxTranscriptBytes, carry('TOO_LARGE')],
      ],
      {
        ownerCliVersion: ownerCliVersion === null && NOT_REPORTED,
        transcriptBytes: transcriptBytes === null && NOT_REPORTED,
      },
    );
  },
);

const runtimeUnchanged = pointerGuard(
  'G16',
  'The agent, its CLI and its account are the same',
  ({ request, pointer, runtime }) => {
    const sameAgent = pointer.harness === request.harness;
    const isAccountKnown = pointer.authPrincipal !== null && runtime.authPrincipal !== null;
    const sameAccount = !isAccountKnown || pointer.authPrincipal === runtime.authPrincipal;
    const isOlderCli = isOlder(runtime.cliVersion, pointer.cliVersion);
    const isProgramKnown = pointer.fingerprint !== null && runtime.fingerprint !== null;
    const sameFingerprint = pointer.fingerprint === runtime.fingerprint;
    const compared = {
      sameAgent,
      sameAccount,
      cliVersion: runtime.cliVersion,
      parentCliVersion: pointer.cliVersion,
      sameFingerprint,
    };
    return firstOf(
      compared,
      [
        [!sameAgent, carry('AGENT_CHANGED')],
        [!sameAccount, carry('AUTH_CHANGED')],
        [isOlderCli, carry('CLI_DOWNGRADE')],
        [!sameFingerprint, carry('RUNTIME_CHANGED')],
      ],
      {
        sameAccount: !isAccountKnown && NOT_REPORTED,
        cliVersion: runtime.cliVersion === null && NOT_REPORTED,
        parentCliVersion: pointer.cliVersion === null && NOT_REPORTED,
        sameFingerprint: !isProgramKnown && NOT_REPORTED,
      },
    );
  },
);

/**
 * Returns whether a version is older: `2.1.197` is older than `2.1.330`. An unknown version isn't.
 */
function isOlder(version: string | null, than: string | null): boolean {
  if (version === null || than === null) return false;
  const left = numbers(version);
  const right = numbers(than);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbers(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}

// The host comes first: what another host has installed says nothing about a conversation that can
// be reached where it is.
export const RUNTIME_GUARDS: readonly Guard[] = [host, runtimeUnchanged];

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
