import {
  formatCost,
  formatCostExact,
  formatEstimatedCost,
  formatRunningCost,
} from '@/lib/platform/format/cost';
import { formatTokens, formatTokensExact } from '@/lib/platform/format/count';
import { cn } from '../ui/cn';

interface CostProps {
  /** Millionths of a US dollar; null when it is not known. */
  micros: number | null;
  /** `running`: more may come. `estimate`: from a list of prices, not from the CLI. */
  form?: 'final' | 'running' | 'estimate';
  /** Says why it is not known. */
  unknownReason?: string;
  className?: string;
}

const NO_USAGE = 'The process reported no usage';
const WRITERS = { final: formatCost, running: formatRunningCost, estimate: formatEstimatedCost };

/** An amount; its tip has all six places. */
export function Cost(props: CostProps) {
  const { micros, form = 'final', unknownReason = NO_USAGE } = props;
  const className = cn('whitespace-nowrap tabular-nums', props.className);
  if (micros === null) return <Unknown reason={unknownReason} className={className} />;
  return (
    <data value={micros / 1_000_000} title={formatCostExact(micros)} className={className}>
      {WRITERS[form](micros)}
    </data>
  );
}

interface UnknownProps {
  reason: string;
  className?: string;
}

/** Missing is a dash with its reason, never 0 and never blank. */
export function Unknown({ reason, className }: UnknownProps) {
  return (
    <span title={reason} className={cn('text-text-3', className)}>
      <span aria-hidden>—</span>
      <span className="sr-only">{reason}</span>
    </span>
  );
}

/** A number of tokens, null when it is not known; its tip has every digit. */
export function Tokens({ count }: { count: number | null }) {
  const className = 'whitespace-nowrap tabular-nums';
  if (count === null) return <Unknown reason={NO_USAGE} className={className} />;
  return (
    <data value={count} title={`${formatTokensExact(count)} tokens`} className={className}>
      {formatTokens(count)}
    </data>
  );
}
