import { cn } from '../ui/cn';
import type { StateOf } from './states';

/** Tone and height say the same. */
const BARS: Record<StateOf<'service'>, string> = {
  healthy: 'h-full bg-ok-mark',
  degraded: 'h-3/5 bg-wait-mark',
  down: 'h-[30%] bg-bad-mark',
  unknown: 'h-px bg-control',
};

interface TimeBarProps {
  state: StateOf<'service'>;
  /** The part of healthy time that is known, 0 to 1; the rest is drawn as unknown. */
  knownShare: number;
  /** Half as high: whatever failed was repaired. */
  isRepaired?: boolean;
}

/** A stretch of time in a strip. A failure fills it, however short it was. */
export function TimeBar({ state, knownShare, isRepaired = false }: TimeBarProps) {
  const share = state === 'healthy' ? knownShare : 1;
  return (
    <span className="flex h-full min-h-0 w-full items-end">
      <span
        data-bar={state}
        className={cn('rounded-[1px]', BARS[state], isRepaired && 'h-1/2')}
        style={share < 1 ? { width: `${(share * 100).toFixed(1)}%` } : { width: '100%' }}
      />
      {share < 1 ? <span className="h-px flex-1 bg-control" /> : null}
    </span>
  );
}
