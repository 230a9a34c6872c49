import { TimeBar } from '@/app/_components/status/time-bar';
import { type HourCell, hoursSentence } from '@/lib/insight/dashboard/check-hours';

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
          <TimeBar state={state} knownShare={1} />
        </span>
      ))}
    </div>
  );
}
