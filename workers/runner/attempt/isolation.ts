/** Whether an attempt is confined. */
import type { ModelProvider } from '@/lib/agents/agent';
import { confinementText } from '@/lib/fleet/confinement';
import type { Confinement, StartIsolation } from '@/lib/protocol/confinement';

export type IsolationDecision =
  | { kind: 'confined' }
  | { kind: 'open' }
  | { kind: 'refused'; why: string };

export function decideIsolation(
  wanted: StartIsolation,
  host: Confinement,
  provider: ModelProvider,
): IsolationDecision {
  if (wanted === 'off') return { kind: 'open' };
  const problem =
    host.state === 'none'
      ? confinementText(host).why
      : provider.kind === 'direct'
        ? provider.why
        : null;
  return problem === null ? { kind: 'confined' } : { kind: 'refused', why: problem };
}
