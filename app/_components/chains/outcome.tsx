import type { ChainItem } from '@/lib/insight/chains/schema';
import { StatusBadge } from '../status/status-badge';

interface OutcomeProps {
  chain: Pick<ChainItem, 'status' | 'outcome' | 'highestTier' | 'statusText' | 'acknowledgement'>;
  /** Without the reason, where a sentence stands beside it anyway. */
  isBare?: boolean;
}

/** How a chain ended, or where it stands; a wait, a skip and a bad end say why. */
export function Outcome({ chain, isBare }: OutcomeProps) {
  const state = chain.outcome ?? (chain.status === 'ended' ? 'failed' : chain.status);
  const isRunning = chain.outcome === null && chain.highestTier > 0;
  return (
    <StatusBadge
      kind="chain"
      state={state}
      detail={isRunning ? `tier ${chain.highestTier}` : null}
      reason={isBare ? undefined : reasonOf(chain)}
    />
  );
}

function reasonOf({ outcome, status, statusText, acknowledgement }: OutcomeProps['chain']) {
  if (acknowledgement) return `acknowledged by ${acknowledgement.by}`;
  if (outcome === 'healthy' || outcome === 'fixed' || status === 'running') return undefined;
  return statusText ? <span className="line-clamp-2">{statusText}</span> : undefined;
}
