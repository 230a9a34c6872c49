import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { type StateOf, stateLook, toneStyle } from '../status/states';
import { cn } from '../ui/cn';

interface EndRowProps {
  /** How the attempt ended. */
  state: StateOf<'attempt'>;
  exitCode: number | null;
  durationMs: number | null;
  costMicros: number | null;
  /** The session that went on from here. */
  next?: { href: string; label: string } | null;
}

/** "Ended: completed, exit 0, 2m 05s, $0.47." and the way to the next tier. */
export function EndRow({ state, exitCode, durationMs, costMicros, next }: EndRowProps) {
  const look = stateLook('attempt', state);
  const facts = [
    look.word.toLowerCase(),
    exitCode === null ? null : `exit ${exitCode}`,
    durationMs === null ? null : formatDuration(durationMs),
    costMicros === null ? null : formatCost(costMicros),
  ].filter((fact) => fact !== null);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-ui tabular-nums">
      <look.icon aria-hidden className={cn('size-4', toneStyle[look.tone].mark)} />
      <p className="font-medium">Ended: {facts.join(', ')}.</p>
      {next ? (
        <Link href={next.href} className="link ml-auto inline-flex items-center gap-1">
          {next.label} <ArrowRight aria-hidden className="size-4" />
        </Link>
      ) : null}
    </div>
  );
}
