/** Whether an attempt is confined. */
import type { ModelProvider } from '@/lib/agents/agent';
import { confinementText } from '@/lib/fleet/confinement';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';

export type IsolationDecision =
  | { kind: 'confined' }
  /** `why` is null if nobody asked for a sandbox. */
  | { kind: 'open'; why: string | null }
  | { kind: 'refused'; why: string };

export function decideIsolation(
  wanted: Isolation,
  host: Confinement,
  provider: ModelProvider,
): IsolationDecision {
  if (wanted === 'off') return { kind: 'open', why: null };
  const problem =
    host.state === 'none'
      ? confinementText(host).why
      : provider.kind === 'direct'
        ? provider.why
        : null;
  if (problem === null) return { kind: 'confined' };
  return { kind: wanted === 'required' ? 'refused' : 'open', why: problem };
}
