import { Link } from '@/app/_components/ui/link';
import type { FeedEvent } from '@/lib/insight/feed';
import { SeverityLabel } from '../status/severity-label';
import { Time } from '../status/time';
import { SafeText } from '../ui/safe-text';

interface FeedListProps {
  label: string;
  events: readonly FeedEvent[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject?: boolean;
}

/** What people should know: level, service, words, and the session that it is about. */
export function FeedList({ label, events, orgSlug, showsProject }: FeedListProps) {
  return (
    <ol aria-label={label}>
      {events.map((event) => (
        <li
          key={event.id}
          className="grid grid-cols-[5.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-line border-t px-4 py-2 first:border-t-0 max-md:grid-cols-[minmax(0,1fr)_auto]"
        >
          <SeverityLabel level={event.level} className="max-md:row-start-2" />
          <div className="min-w-0 max-md:col-span-2">
            <p className="max-w-prose text-ui [overflow-wrap:anywhere]">
              <SafeText text={event.message} />{' '}
              <code className="text-meta text-text-3">{event.code}</code>
            </p>
            <p className="flex flex-wrap gap-x-3 text-meta text-text-3">
              {showsProject ? (
                <Link href={`/${orgSlug}/projects/${event.project.slug}`} className="link">
                  {event.project.name}
                </Link>
              ) : null}
              {event.service ? <span>{event.service}</span> : null}
              {event.session ? (
                <Link
                  href={`/${orgSlug}/projects/${event.project.slug}/sessions/${event.session.number}`}
                  className="link"
                >
                  Session #{event.session.number} (Tier {event.session.tier})
                </Link>
              ) : null}
            </p>
          </div>
          <Time at={event.at} isPlain className="text-meta text-text-3 max-md:row-start-2" />
        </li>
      ))}
    </ol>
  );
}
