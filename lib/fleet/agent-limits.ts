/** What people read about the limits of each agent on a host. */
import { formatCount } from '@/lib/platform/format/count';
import type { Posture } from '@/lib/protocol/schema';

export interface LimitsText {
  what: string;
  /** What to do about a limit that is missing; empty if none is. */
  fix: string;
}

const FIX =
  'Run the runner as a service with Delegate=yes, in an account other than root, on a host with cgroups of version 2.';

/** @param limits absent for a runner that doesn't report any */
export function limitsText(limits: Posture['limits']): LimitsText {
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
