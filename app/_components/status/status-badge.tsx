import {
  BellOff,
  Bot,
  CalendarClock,
  CirclePause,
  FlaskConical,
  LoaderCircle,
  Timer,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { Spinner } from '../ui/spinner';
import { type StateLook, type StateOf, type StatusKind, stateLook } from './states';
import { toneStyle } from './tone';

/** Conditions shown next to a state, each as its own chip. */
const modifiers = {
  dry_run: { word: 'Dry run', icon: FlaskConical, tone: 'wait' },
  demo_agent: { word: 'Demo agent, no model', icon: Bot, tone: 'idle' },
  cooldown: { word: 'In cooldown', icon: Timer, tone: 'idle' },
  snoozed: { word: 'Snoozed', icon: BellOff, tone: 'idle' },
  maintenance: { word: 'Maintenance', icon: CalendarClock, tone: 'idle' },
  tier_paused: { word: 'Paused', icon: CirclePause, tone: 'idle' },
  outdated: { word: 'Outdated', icon: TriangleAlert, tone: 'wait' },
} as const satisfies Record<string, StateLook>;

type Modifier = keyof typeof modifiers;

/** A state, and what it is a state of. */
type Status = { [Kind in StatusKind]: { kind: Kind; state: StateOf<Kind> } }[StatusKind];

type StatusBadgeProps = Status & {
  /** Completes the word inside the badge: "tier 2", "2 of 4", "in 4m 10s". */
  detail?: ReactNode;
  /** The reason, shown after the badge. Required for waits and denials. */
  reason?: ReactNode;
  className?: string;
};

/** The only renderer of a state: icon and word, so that color is never the only signal. */
export function StatusBadge(props: StatusBadgeProps) {
  const look = stateLook(props.kind, props.state);
  const reason =
    props.reason ??
    (props.kind === 'chain' && props.state === 'fixed' ? 'not confirmed yet' : undefined);
  const badge = <Chip look={look} detail={props.detail} className={props.className} />;
  if (!reason) return badge;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      {badge}
      <span className="min-w-0 text-text-2 text-ui">{reason}</span>
    </span>
  );
}

interface ModifierChipProps {
  modifier: Modifier;
  /** "until 16:40". */
  detail?: ReactNode;
}

export function ModifierChip({ modifier, detail }: ModifierChipProps) {
  return <Chip look={modifiers[modifier]} detail={detail} />;
}

interface ChipProps {
  look: StateLook;
  detail?: ReactNode;
  className?: string;
}

function Chip({ look, detail, className }: ChipProps) {
  const style = toneStyle[look.tone];
  const Icon = look.icon;
  return (
    <span
      className={cn(
        'inline-flex h-5.5 shrink-0 items-center gap-1 rounded-badge border border-transparent pr-1.5 pl-1 text-meta whitespace-nowrap tabular-nums',
        style.bg,
        style.fg,
        className,
      )}
    >
      {Icon === LoaderCircle ? (
        <Spinner className={cn('size-3.5', style.mark)} />
      ) : (
        <Icon aria-hidden className={cn('size-3.5 shrink-0', style.mark)} />
      )}
      <span>
        {look.word}
        {detail ? <> {detail}</> : null}
      </span>
    </span>
  );
}

/** Where the word has no room (the project list of the left bar): the name carries it. */
export function StatusIcon({ kind, state }: Status) {
  const look = stateLook(kind, state);
  const Icon = look.icon;
  return (
    <Icon
      role="img"
      aria-label={look.word}
      className={cn('size-4 shrink-0', toneStyle[look.tone].mark)}
    />
  );
}
