import { formatCost } from '@/lib/platform/format/cost';
import { formatShare } from '@/lib/platform/format/count';
import { cn } from '../ui/cn';
import { type Tone, toneStyle } from './tone';

interface BudgetBarProps {
  /** "Today", "This month". */
  label: string;
  spentMicros: number;
  /** Null: no limit is set. */
  limitMicros: number | null;
}

/** Share of the limit from which it warns. */
const WARN_SHARE = 0.8;

/** "$2.83 of $10.00, 28%" and a bar that is quiet until the budget warns. */
export function BudgetBar({ label, spentMicros, limitMicros }: BudgetBarProps) {
  if (limitMicros === null || limitMicros <= 0) {
    return (
      <p className="flex items-baseline gap-2 text-ui tabular-nums">
        <span className="text-text-3">{label}</span>
        {formatCost(spentMicros)}
        <span className="text-text-3">no limit</span>
      </p>
    );
  }
  const share = spentMicros / limitMicros;
  const tone: Tone = share >= 1 ? 'bad' : share >= WARN_SHARE ? 'wait' : 'idle';
  return (
    <div className="flex flex-col gap-1 text-ui tabular-nums">
      <p className="flex items-baseline gap-2 whitespace-nowrap">
        <span className="text-text-3">{label}</span>
        <span>
          {formatCost(spentMicros)} <span className="text-text-3">of</span>{' '}
          {formatCost(limitMicros)}
        </span>
        <span className={cn('ml-auto', tone === 'idle' ? 'text-text-3' : toneStyle[tone].fg)}>
          {formatShare(spentMicros, limitMicros)}
        </span>
      </p>
      <div aria-hidden className="h-1 overflow-hidden rounded-full bg-line">
        <div
          data-bar
          className={cn('h-full rounded-full', toneStyle[tone].fill)}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </div>
    </div>
  );
}
