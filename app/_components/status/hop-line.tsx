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
  /** Length in px; by default the line fills its container. */
  length?: number;
  className?: string;
}

/** Between two sessions: solid is resumed, dashed a handoff, dotted a check first, broken refused. */
export function HopLine({ mode, length, className }: HopLineProps) {
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
        'h-2 shrink-0 stroke-text-3',
        mode === 'refuse' && 'stroke-bad-mark',
        length === undefined && 'w-full',
        className,
      )}
      style={length === undefined ? undefined : { width: length }}
    >
      <title>{NAMES[mode]}</title>
      {pieces.map(([from, to]) => (
        <line
          key={from}
          x1={`${from}%`}
          x2={`${to}%`}
          y1="50%"
          y2="50%"
          strokeWidth={2}
          strokeLinecap={DASHES[mode] === '1.5 4' ? 'round' : 'butt'}
          strokeDasharray={DASHES[mode]}
        />
      ))}
    </svg>
  );
}
