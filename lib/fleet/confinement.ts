/** What people read about a host's confinement: the state, why, and what to do. */

import { formatCount } from '@/lib/platform/format/count';
import type { Confinement, ConfinementCause } from '@/lib/protocol/confinement';
import type { Capabilities } from '@/lib/protocol/schema';

export interface ConfinementText {
  /** For a table or a badge. */
  state: string;
  /** A sentence. Empty if all is well. */
  why: string;
  /** What to do about it, one or more sentences. Empty if nothing can be done. */
  fix: string;
}

const STATES: Record<Confinement['state'], string> = {
  confined: 'Confined',
  process_list_visible: 'Confined, process list visible',
  none: 'Not confined',
};

const CAUSES: Record<ConfinementCause, { why: string; fix: string }> = {
  not_linux: {
    why: 'Agents can be confined on Linux only.',
    fix: 'Run the runner on a Linux host.',
  },
  not_installed: {
    why: 'bubblewrap isn’t installed on the host.',
    fix: 'Install the package bubblewrap, for example with `apt install bubblewrap`. The runner notices within a minute.',
  },
  too_old: {
    why: 'The host’s bubblewrap is older than 0.8 and can’t stop an agent from making namespaces of its own.',
    fix: 'Install bubblewrap 0.8 or later.',
  },
  apparmor: {
    why: 'AppArmor doesn’t let the runner’s account use user namespaces.',
    fix: 'Load the profile of the distribution: `apt install apparmor-profiles`, copy /usr/share/apparmor/extra-profiles/bwrap-userns-restrict to /etc/apparmor.d/, and load it with `apparmor_parser -r`.',
  },
  namespaces_filtered: {
    why: 'The container’s seccomp profile filters the creation of namespaces.',
    fix: 'Give the container a seccomp profile that allows them (`security_opt: [seccomp=…, apparmor=unconfined]`), or run the runner as a service of the host.',
  },
  namespaces_exhausted: {
    why: 'The kernel allows no more user namespaces here.',
    fix: 'Raise user.max_user_namespaces, for example with `sysctl user.max_user_namespaces=15000`. If a container or another sandbox forbids namespaces, move the runner to the host itself.',
  },
  proc_masked: {
    why: 'The container masks parts of /proc, so the kernel allows no new one in the sandbox. Agents can see process IDs and command lines of the host.',
    fix: 'Set `systempaths=unconfined` (Docker), or `procMount: Unmasked` with `hostUsers: false` (Kubernetes).',
  },
  leaks: {
    why: 'A test found something of the host within reach of the sandbox.',
    fix: 'Read the details below and report them. Until then no agent is confined here.',
  },
  unknown: {
    why: 'bubblewrap couldn’t start a sandbox.',
    fix: 'Start a sandbox manually as the runner’s account to see why: `bwrap --ro-bind / / --unshare-all true`.',
  },
};

/** What a runner that reports no confinement is. */
const TOO_OLD = {
  why: 'Its version can’t confine agents.',
  fix: 'Update the runner.',
};

/** Returns why a runner can't confine agents and what to do about it; null if it can. */
export function confinementProblem(
  confinement: Confinement | null,
): Pick<ConfinementText, 'why' | 'fix'> | null {
  if (confinement === null) return TOO_OLD;
  return confinement.state === 'none' ? confinementText(confinement) : null;
}

export function confinementText({ state, cause }: Confinement): ConfinementText {
  return { state: STATES[state], ...(cause === null ? { why: '', fix: '' } : CAUSES[cause]) };
}

/** What people read about the limits of each agent on a host. */
export interface LimitsText {
  what: string;
  /** What to do about a limit that is missing; empty if none is. */
  fix: string;
}

const FIX =
  'Run the runner as a service with Delegate=yes, in an account other than root, on a host with cgroups of version 2.';

/** @param limits absent for a runner that doesn't report any */
export function limitsText(limits: Capabilities['limits']): LimitsText {
  if (limits === undefined) return { what: 'None.', fix: 'Update the runner.' };
  const { processes, of, memoryMb } = limits;
  const what = [
    processes === null
      ? 'Processes aren’t limited: a fork bomb of an agent can take the host down.'
      : `${formatCount(processes)} processes of each agent${of === 'sandboxes' ? ' in a sandbox' : ''}.`,
    memoryMb === null ? 'Memory isn’t limited.' : `${formatCount(memoryMb)} MB of memory.`,
  ];
  const isComplete = of === 'agents' && memoryMb !== null;
  return { what: what.join(' '), fix: isComplete ? '' : FIX };
}
