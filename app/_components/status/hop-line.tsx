import { cn } from '../ui/cn';

export type HopMode =
  | 'resume'
  | 'handoff'
  | 'transcript'
  | 'fresh'
  | 'reconcile'
  | 'refuse'
  | 'wait';

const NAMES: Record<HopMode, string> = {
  resume: 'resumed',
  handoff: 'handoff',
  transcript: 'whole transcript',
  fresh: 'fresh start',
  reconcile: 'observe-only check first',
  refuse: 'refused',
  wait: 'waiting',
};

const DASHES: Record<HopMode, string | undefined> = {
  resume: undefined,
  transcript: undefined,
  fresh: undefined,
  handoff: '6 4',
  reconcile: '1.5 4',
  wait: '1.5 4',
  refuse: undefined,
};

interface HopLineProps {
  mode: HopMode;
  direction?: 'horizontal' | 'vertical';
  /** Length in px; by default the line fills its container. */
  length?: number;
  className?: string;
}

/** Between two sessions: solid is resumed, dashed a handoff, dotted a check first, broken refused. */
export function HopLine({ mode, direction = 'horizontal', length, className }: HopLineProps) {
  const isFlat = direction === 'horizontal';
  const line = (from: number, to: number) => {
    const [start, end] = [`${from}%`, `${to}%`];
    return isFlat
      ? { x1: start, x2: end, y1: '50%', y2: '50%' }
      : { x1: '50%', x2: '50%', y1: start, y2: end };
  };
  const pieces =
    mode === 'refuse'
      ? ([
          [0, 38],
          [62, 100],
        ] as const)
      : ([[0, 100]] as const);
  return (
    <svg
      role="img"
      aria-label={NAMES[mode]}
      className={cn(
        'shrink-0 stroke-text-3',
        isFlat ? 'h-2' : 'w-2',
        mode === 'refuse' && 'stroke-bad-mark',
        length === undefined && (isFlat ? 'w-full' : 'h-full'),
        className,
      )}
      style={length === undefined ? undefined : isFlat ? { width: length } : { height: length }}
    >
      <title>{NAMES[mode]}</title>
      {pieces.map(([from, to]) => (
        <line
          key={from}
          {...line(from, to)}
          strokeWidth={2}
          strokeLinecap={DASHES[mode] === '1.5 4' ? 'round' : 'butt'}
          strokeDasharray={DASHES[mode]}
        />
      ))}
    </svg>
  );
}
