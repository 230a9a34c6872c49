/**
 * The system calls that a sandbox refuses beside what its namespaces take away: kernel interfaces
 * that no namespace divides, and ways into other processes of the sandbox. As a program of the
 * kernel's packet filter (seccomp), for the architecture of this host.
 */
import { constants } from 'node:os';

interface Architecture {
  /** AUDIT_ARCH_… */
  audit: number;
  socket: number;
  /** Numbers of the refused calls. */
  refused: readonly number[];
  /** Calls from here on belong to another calling convention; null if there is none. */
  otherFrom: number | null;
}

// keyctl, add_key, request_key: the keyring of the runner's session.
// ptrace, process_vm_readv, process_vm_writev, pidfd_getfd: other processes' memory and descriptors.
// bpf, perf_event_open, userfaultfd, io_uring_setup, _enter, _register: much attacked, needed by none.
const ARCHITECTURES: Partial<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000_003e,
    socket: 41,
    refused: [250, 248, 249, 101, 310, 311, 438, 321, 298, 323, 425, 426, 427],
    otherFrom: 0x4000_0000,
  },
  arm64: {
    audit: 0xc000_00b7,
    socket: 198,
    refused: [219, 217, 218, 117, 270, 271, 438, 280, 241, 282, 425, 426, 427],
    otherFrom: null,
  },
};

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: the network namespace divides them. Not AF_VSOCK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

// Offsets in the kernel's struct seccomp_data.
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const refuseWith = (errno: number) => 0x0005_0000 + errno;

/** Returns the filter for bubblewrap's `--seccomp`; null on a host of another architecture. */
export function seccompFilter(architecture: string = process.arch): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (!known) return null;
  const { audit, socket, refused, otherFrom } = known;
  const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;
  return Buffer.concat([
    step(LOAD, ARCHITECTURE),
    step(IF_EQUAL, audit, 1, 0),
    step(RETURN, refuseWith(ENOSYS)),
    step(LOAD, NUMBER),
    ...(otherFrom === null
      ? []
      : [step(IF_AT_LEAST, otherFrom, 0, 1), step(RETURN, refuseWith(ENOSYS))]),
    ...refused.flatMap((number) => [step(IF_EQUAL, number, 0, 1), step(RETURN, refuseWith(EPERM))]),
    step(IF_EQUAL, socket, 1, 0),
    step(RETURN, ALLOW),
    step(LOAD, FIRST_ARGUMENT),
    ...SOCKET_FAMILIES.flatMap((family) => [step(IF_EQUAL, family, 0, 1), step(RETURN, ALLOW)]),
    step(RETURN, refuseWith(EAFNOSUPPORT)),
  ]);
}

/** One struct sock_filter. `ifTrue` and `ifFalse`: how many steps to leave out. */
function step(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
