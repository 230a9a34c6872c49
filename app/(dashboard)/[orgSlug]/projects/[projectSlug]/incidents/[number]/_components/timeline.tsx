import { Time } from '@/app/_components/status/time';
import { Link } from '@/app/_components/ui/link';
import type { IncidentDetail } from '@/lib/insight/incidents/schema';

interface TimelineProps {
  incident: Pick<IncidentDetail, 'timeline'>;
  root: string;
}

/** Everything that happened, in order. Each line leads to its evidence. */
export function Timeline({ incident: { timeline }, root }: TimelineProps) {
  return (
    <ol className="divide-y divide-line">
      {timeline.map(({ sequence, at, text, chainNumber }) => (
        <li key={sequence} className="flex gap-4 px-4 py-2.5 max-md:flex-col max-md:gap-0.5">
          <span className="w-28 shrink-0 text-text-3 text-ui tabular-nums">
            <Time at={at} form="day" />
          </span>
          <span className="min-w-0 break-words">
            {text}
            {chainNumber === null ? null : (
              <>
                {' '}
                <Link href={`${root}/chains/${chainNumber}`} className="link whitespace-nowrap">
                  Open the chain
                </Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
