import { ArrowRight } from 'lucide-react';
import { ContextLine } from '@/app/_components/sessions/context-line';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Link } from '@/app/_components/ui/link';
import type { DecisionDto, HandoffDto, SessionItem } from '@/lib/insight/sessions/schema';

interface HopCardProps {
  from: SessionItem;
  to: SessionItem;
  /** Of the session below: why it handed up. */
  escalation: DecisionDto | null;
  /** How each attempt of the session above was started; a fallback has two. */
  starts: readonly DecisionDto[];
  handoff: HandoffDto | null;
  root: string;
}

/** From one tier to the next: why, by what means, and what was weighed. */
export function HopCard({ from, to, escalation, starts, handoff, root }: HopCardProps) {
  return (
    <section
      aria-label={`From session #${from.number} to #${to.number}`}
      className="flex flex-col gap-2 border-line border-t px-4 py-3 first:border-t-0"
    >
      <h3 className="flex flex-wrap items-center gap-2 text-card tabular-nums">
        Session #{from.number}
        <ArrowRight aria-label="to" className="size-4 text-text-3" />
        Session #{to.number}
        {starts.length === 0 ? <StatusBadge kind="decision" state="wait" /> : null}
      </h3>
      {escalation ? <p>{escalation.sentence}</p> : null}
      {starts.map((start, index) => (
        <div key={start.id} className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <StatusBadge kind="decision" state={start.verdict as StateOf<'decision'>} />
            {starts.length > 1 ? (
              <span className="text-meta text-text-3">attempt {index + 1}</span>
            ) : null}
            <span>{start.sentence}</span>
            <code className="text-meta text-text-3">{start.reason}</code>
          </p>
          {start.context ? <ContextLine context={start.context} /> : null}
        </div>
      ))}
      {starts.length === 0 ? (
        <p className="text-text-2">
          {to.statusText || 'How it continues is decided when a runner takes it.'}
        </p>
      ) : null}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-ui">
        {starts.length > 0 ? (
          <Link href={`${root}/sessions/${to.number}/decision`} className="link">
            All checks
          </Link>
        ) : null}
        {handoff ? (
          <Link href={`${root}/sessions/${from.number}/handoff`} className="link">
            Handoff
          </Link>
        ) : null}
        <Link href={`${root}/sessions/${to.number}/command`} className="link">
          What tier {to.tier} received
        </Link>
      </p>
    </section>
  );
}
