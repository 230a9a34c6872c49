/** Would the process find the conversation, on a host that can read it? */
import { carry, firstOf, type Guard, pointerGuard } from './guard';

const host = pointerGuard(
  'G18',
  'The host holds it, unchanged',
  ({ request, pointer, runtime, policy }) => {
    const sameHost = pointer.runnerId === runtime.runnerId;
    const { isOwnerReachable, transcriptHash } = runtime;
    const isAltered =
      pointer.transcriptHash !== null &&
      transcriptHash !== null &&
      pointer.transcriptHash !== transcriptHash;
    const { transcriptBytes } = pointer;
    const compared = {
      sameHost,
      isOwnerReachable,
      waitLeftMs: request.waitLeftMs,
      isAltered,
      transcriptBytes,
      maxTranscriptBytes: policy.maxTranscriptBytes,
    };
    return firstOf(compared, [
      [!isOwnerReachable, carry('UNREACHABLE')],
      [!sameHost && request.waitLeftMs > 0, { to: 'wait', reason: 'ROUTE_TO_HOST' }],
      [!sameHost, carry('UNREACHABLE')],
      [isAltered, { ...carry('TAMPERED', { retires: true }), isSecurityMatter: true }],
      [(transcriptBytes ?? 0) > policy.maxTranscriptBytes, carry('TOO_LARGE')],
    ]);
  },
);

const runtimeUnchanged = pointerGuard(
  'G16',
  'The agent, its CLI and its account are the same',
  ({ request, pointer, runtime }) => {
    const sameAgent = pointer.harness === request.harness;
    const sameAccount = pointer.authPrincipal === runtime.authPrincipal;
    const isOlderCli = isOlder(runtime.cliVersion, pointer.cliVersion);
    const sameFingerprint = pointer.fingerprint === runtime.fingerprint;
    const compared = {
      sameAgent,
      sameAccount,
      cliVersion: runtime.cliVersion,
      parentCliVersion: pointer.cliVersion,
      sameFingerprint,
    };
    return firstOf(compared, [
      [!sameAgent, carry('AGENT_CHANGED')],
      [!sameAccount, carry('AUTH_CHANGED')],
      [isOlderCli, carry('CLI_DOWNGRADE')],
      [!sameFingerprint, carry('RUNTIME_CHANGED')],
    ]);
  },
);

const places = pointerGuard(
  'G17',
  'Work directory and store are the same',
  ({ pointer, runtime }) => {
    const sameWorkDir = pointer.workDir === runtime.workDir;
    const { hasWorkDir } = runtime;
    // A path may name another folder than before; the inode says so once the host has looked.
    const sameInode =
      runtime.workDirInode === null ||
      pointer.workDirInode === null ||
      pointer.workDirInode === runtime.workDirInode;
    const sameStore = pointer.configDir === runtime.configDir;
    return firstOf({ sameWorkDir, hasWorkDir, sameInode, sameStore }, [
      [!sameWorkDir, carry('WORKDIR_CHANGED')],
      [!hasWorkDir, carry('WORKDIR_GONE')],
      [!sameInode, carry('WORKDIR_CHANGED')],
      [!sameStore, carry('STORE_SCOPE')],
    ]);
  },
);

/** `2.1.197` is older than `2.1.330`. A version that is not known is not older. */
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

// The host comes first: what another host has installed says nothing about a conversation
// that can be reached where it is.
export const RUNTIME_GUARDS: readonly Guard[] = [host, runtimeUnchanged, places];
