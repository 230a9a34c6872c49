import { TextLink } from '@/app/_components/ui/link';
import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { type FeedEvent, listFeed } from '@/lib/insight/feed';
import type { TenantScope } from '@/lib/platform/db/scope';
import { levelSchema } from '@/lib/protocol/events';
import { FilterBar } from '../lists/filter-bar';
import { choiceParam, hrefWith, type Params, textParam } from '../lists/list-params';
import { SeverityLabel } from '../status/severity-label';
import { Time } from '../status/time';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
import { SafeText } from '../ui/safe-text';

const PAGE = 50;
const LEVEL_WORDS = { info: 'Info', warning: 'Warning', critical: 'Critical' };

interface FeedViewProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/activity". */
  path: string;
  /** Slug; null lists those of every project. */
  project: string | null;
}

/** The feed with its filters, all of them in the address. */
export async function FeedView({ scope, params, path, project }: FeedViewProps) {
  const level = choiceParam(params, 'level', levelSchema.options);
  const service = textParam(params, 'service');
  const text = textParam(params, 'q');
  const page = await listFeed(scope, {
    project: project ?? undefined,
    level,
    service,
    text,
    before: textParam(params, 'before'),
    after: textParam(params, 'after'),
    limit: PAGE,
  });
  return (
    <>
      <FilterBar
        search={{ label: 'Search the events', value: text ?? '' }}
        filters={[
          {
            name: 'level',
            label: 'Level',
            value: level,
            allLabel: 'Any level',
            choices: levelSchema.options.map((value) => ({ value, label: LEVEL_WORDS[value] })),
          },
          {
            name: 'service',
            label: 'Service',
            value: service,
            allLabel: 'Any service',
            choices: page.services.map((value) => ({ value, label: value })),
          },
        ]}
      />
      <div className="rounded-card border border-line bg-surface">
        {page.data.length > 0 ? (
          <FrozenWhileUsed>
            <FeedList
              label="Events"
              events={page.data}
              orgSlug={scope.organizationSlug}
              showsProject={project === null}
            />
          </FrozenWhileUsed>
        ) : level || service || text || params.before ? (
          <NoMatch what="events" clearHref={path} />
        ) : (
          <EmptyState title="No events yet.">
            Escalations, refusals, lost runners and the like are noted here.
          </EmptyState>
        )}
      </div>
      <Pagination
        newerHref={page.newerThan && hrefWith(path, params, { after: page.newerThan })}
        olderHref={page.olderThan && hrefWith(path, params, { before: page.olderThan })}
      />
    </>
  );
}

interface FeedListProps {
  label: string;
  events: readonly FeedEvent[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject?: boolean;
}

/** What people should know: level, service, words, and the session that it is about. */
function FeedList({ label, events, orgSlug, showsProject }: FeedListProps) {
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
                <TextLink href={`/${orgSlug}/projects/${event.project.slug}`}>
                  {event.project.name}
                </TextLink>
              ) : null}
              {event.service ? <span>{event.service}</span> : null}
              {event.session ? (
                <TextLink
                  href={`/${orgSlug}/projects/${event.project.slug}/sessions/${event.session.number}`}
                >
                  Session #{event.session.number} (Tier {event.session.tier})
                </TextLink>
              ) : null}
            </p>
          </div>
          <Time at={event.at} isPlain className="text-meta text-text-3 max-md:row-start-2" />
        </li>
      ))}
    </ol>
  );
}
