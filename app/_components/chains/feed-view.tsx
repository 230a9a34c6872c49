import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { listFeed } from '@/lib/insight/feed';
import type { TenantScope } from '@/lib/platform/db/scope';
import { levelSchema } from '@/lib/protocol/events';
import { FilterBar } from '../lists/filter-bar';
import { choiceParam, hrefWith, type Params, textParam } from '../lists/list-params';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
import { FeedList } from './feed-list';

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
