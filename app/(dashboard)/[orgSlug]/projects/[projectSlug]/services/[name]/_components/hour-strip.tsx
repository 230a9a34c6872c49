import type { StateOf } from '@/app/_components/status/states';
import { cn } from '@/app/_components/ui/cn';
import { type HourCell, hoursSentence } from '@/lib/insight/dashboard/check-hours';

/** As in the strips of chains: tone and height say the same. */
const STYLES: Record<StateOf<'service'>, string> = {
  healthy: 'h-full bg-ok-mark',
  degraded: 'h-3/5 bg-wait-mark',
  down: 'h-[30%] bg-bad-mark',
  unknown: 'h-px bg-control',
};

interface HourStripProps {
  cells: readonly HourCell[];
  clock: (at: Date) => string;
}

/** One cell an hour, by the worst result in it. A picture for assistive technology, with a sentence. */
export function HourStrip({ cells, clock }: HourStripProps) {
  return (
    <div
      role="img"
      aria-label={hoursSentence(cells)}
      className="flex h-6 min-w-48 items-end gap-px md:max-w-64"
    >
      {cells.map(({ from, state, words }) => (
        <span
          key={from.toISOString()}
          title={`From ${clock(from)}: ${words}`}
          className="flex h-full flex-1 items-end hover:bg-hover"
        >
          <span data-bar className={cn('w-full rounded-[1px]', STYLES[state])} />
        </span>
      ))}
    </div>
  );
}
