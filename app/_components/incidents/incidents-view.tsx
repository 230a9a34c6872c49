import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { INCIDENT_STATES } from '@/lib/incidents/states';
import { browseIncidents } from '@/lib/insight/incidents/list-incidents';
import type { TenantScope } from '@/lib/platform/db/scope';
import { FilterBar } from '../lists/filter-bar';
import { choiceParam, hrefWith, idParam, type Params, textParam } from '../lists/list-params';
import { projectFilter } from '../lists/ranged-list';
import { stateLook } from '../status/states';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
import { IncidentTable } from './incident-table';

const PAGE = 50;
const STATES = ['active', ...INCIDENT_STATES] as const;

interface IncidentsViewProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/incidents". */
  path: string;
  /** Slug; null lists those of every project. */
  project: string | null;
  /** To choose from, on pages of the whole organization. */
  projects: readonly { slug: string; name: string }[];
}

/** A page of incidents with its filters, all of them in the address. */
export async function IncidentsView({
  scope,
  params,
  path,
  project,
  projects,
}: IncidentsViewProps) {
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const state = choiceParam(params, 'state', STATES);
  const service = textParam(params, 'service');
  const before = idParam(params, 'before', 'inc');
  const after = idParam(params, 'after', 'inc');
  const page = await browseIncidents(scope, {
    ...{ project: project ?? chosen, state, service, before, after },
    limit: PAGE,
  });
  const isFiltered = Boolean(state || service || before || after || chosen);
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'state',
            label: 'State',
            value: state,
            allLabel: 'Any state',
            choices: STATES.map((value) => ({
              value,
              label: value === 'active' ? 'Not resolved' : stateLook('incident', value).word,
            })),
          },
          ...projectFilter(projects, chosen),
        ]}
      />
      {page.data.length === 0 ? (
        <div className="rounded-card border border-line bg-surface">
          {isFiltered ? (
            <NoMatch what="incidents" clearHref={path} />
          ) : (
            <EmptyState title="No incidents yet.">
              One opens when checks fail that run without an agent, when an alert fires, or when a
              chain finds a failure that neither watches. It groups everything about the outage,
              from the first failure to the proven recovery. Turn such checks on under Schedule in
              the settings of a project.
            </EmptyState>
          )}
        </div>
      ) : (
        <FrozenWhileUsed>
          <IncidentTable
            incidents={page.data}
            orgSlug={scope.organizationSlug}
            showsProject={project === null}
          />
        </FrozenWhileUsed>
      )}
      <Pagination
        newerHref={page.newerThan && hrefWith(path, params, { after: page.newerThan })}
        olderHref={page.olderThan && hrefWith(path, params, { before: page.olderThan })}
      />
    </>
  );
}
