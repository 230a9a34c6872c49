import type { ChainItem, FixStanding } from '@/lib/insight/chains/schema';
import { StatusBadge } from '../status/status-badge';

interface OutcomeProps {
  chain: Pick<ChainItem, 'status' | 'outcome' | 'highestTier' | 'statusText' | 'acknowledgement'>;
  /** What the next cycle said about a reported fix. */
  fix: FixStanding | null;
  /** Without the reason, where a sentence stands beside it anyway. */
  isBare?: boolean;
}

/** How a chain ended, or where it stands; a wait, a skip and a bad end say why. */
export function Outcome({ chain, fix, isBare }: OutcomeProps) {
  const state = chain.outcome ?? (chain.status === 'ended' ? 'failed' : chain.status);
  const isRunning = chain.outcome === null && chain.highestTier > 0;
  return (
    <StatusBadge
      kind="chain"
      state={state}
      detail={isRunning ? `tier ${chain.highestTier}` : null}
      reason={fix ? fixWords(fix) : isBare ? undefined : reasonOf(chain)}
    />
  );
}

function fixWords(fix: FixStanding): string {
  switch (fix.kind) {
    case 'unconfirmed':
      return 'not confirmed yet';
    case 'confirmed':
      return `confirmed by Chain #${fix.by}`;
    case 'came_back':
      return `came back in Chain #${fix.in}`;
  }
}

function reasonOf({ outcome, status, statusText, acknowledgement }: OutcomeProps['chain']) {
  if (acknowledgement) return `acknowledged by ${acknowledgement.by}`;
  if (outcome === 'healthy' || outcome === 'fixed' || status === 'running') return undefined;
  return statusText ? <span className="line-clamp-2">{statusText}</span> : undefined;
}
