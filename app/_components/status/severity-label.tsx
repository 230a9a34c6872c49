import type { Level } from '@/lib/protocol/events';
import { cn } from '../ui/cn';
import { type Tone, toneStyle } from './tone';

/** Alerts of other systems can be errors, too. */
type AnyLevel = Level | 'error';

const LOOKS: Record<AnyLevel, { word: string; tone: Tone }> = {
  info: { word: 'Info', tone: 'idle' },
  warning: { word: 'Warning', tone: 'wait' },
  error: { word: 'Error', tone: 'bad' },
  critical: { word: 'Critical', tone: 'bad' },
};

/** A word with a rule at its left; never a status chip. */
export function SeverityLabel({ level, className }: { level: AnyLevel; className?: string }) {
  const look = LOOKS[level];
  return (
    <span
      className={cn(
        'inline-flex items-baseline gap-1.5 text-meta',
        toneStyle[look.tone].fg,
        className,
      )}
    >
      <span
        aria-hidden
        data-bar
        className={cn('h-3.5 w-0.75 self-center rounded-full', toneStyle[look.tone].fill)}
      />
      {look.word}
    </span>
  );
}
