import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { IncidentDetail, TimelineEntry } from '@/lib/incidents/view';
import { formatCounted } from '@/lib/platform/format/count';

interface TimelineProps {
  incident: Pick<IncidentDetail, 'timeline' | 'earlierEvents' | 'earlierUntil' | 'laterUntil'>;
  /** Of the incident's page. */
  path: string;
}

/** What happened, in order, a page of events at a time. Each line leads to its evidence. */
export function Timeline({ incident, path }: TimelineProps) {
  const { timeline, earlierEvents, earlierUntil, laterUntil } = incident;
  const isAll = earlierUntil === null && laterUntil === null;
  return (
    <Card
      title="Timeline"
      note={isAll ? timeline.length : laterUntil === null ? 'Newest' : 'Earlier events'}
      isFlush
    >
      {earlierUntil === null ? null : (
        <PageLink href={`${path}?until=${earlierUntil}`}>
          <ArrowUp aria-hidden /> Earlier: {formatCounted(earlierEvents, 'more event')}
        </PageLink>
      )}
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
      {laterUntil === null ? null : (
        <PageLink href={`${path}?until=${laterUntil}`} otherHref={path}>
          <ArrowDown aria-hidden /> Later
        </PageLink>
      )}
    </Card>
  );
}

interface PageLinkProps {
  href: string;
  /** Of the newest events. */
  otherHref?: string;
  children: ReactNode;
}

/** Leads to the events before or after those shown. */
function PageLink({ href, otherHref, children }: PageLinkProps) {
  return (
    <div className="flex flex-wrap gap-2 border-line px-4 py-2.5 first:border-b last:border-t">
      <Button asChild size="sm">
        <Link href={href}>{children}</Link>
      </Button>
      {otherHref ? (
        <Button asChild size="sm">
          <Link href={otherHref}>Newest</Link>
        </Button>
      ) : null}
    </div>
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
