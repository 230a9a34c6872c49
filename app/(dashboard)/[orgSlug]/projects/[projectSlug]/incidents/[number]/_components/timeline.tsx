import { Time } from '@/app/_components/status/time';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { IncidentDetail, TimelineEntry } from '@/lib/insight/incidents/schema';

interface TimelineProps {
  incident: Pick<IncidentDetail, 'timeline'>;
}

/** Everything that happened, in order. Each line leads to its evidence. */
export function Timeline({ incident: { timeline } }: TimelineProps) {
  return (
    <ol aria-label="Timeline" className="divide-y divide-line">
      {timeline.map((entry) => (
        <li
          key={`${entry.at} ${entry.kind} ${entry.sequence ?? entry.text}`}
          id={entry.sequence === null ? undefined : `event-${entry.sequence}`}
          className="grid scroll-mt-18 gap-x-4 gap-y-0.5 px-4 py-2.5 target:bg-hover md:grid-cols-[7rem_minmax(0,1fr)_auto]"
        >
          <span className="text-text-3 text-ui tabular-nums">
            <Time at={entry.at} form="day" />
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <SafeText text={entry.text} />
          </span>
          <EvidenceLink entry={entry} />
        </li>
      ))}
    </ol>
  );
}

/** Nothing for what only this page itself shows. */
function EvidenceLink({ entry: { evidence, kind } }: { entry: TimelineEntry }) {
  const isElsewhere = kind === 'merged' || kind === 'joined';
  if (evidence.kind === 'incident' && !isElsewhere) return null;
  return (
    <Link href={evidence.path} className="link text-ui md:max-w-60 md:truncate md:text-right">
      {evidence.label}
    </Link>
  );
}
