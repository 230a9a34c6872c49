import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { SESSION_STATUSES } from '@/lib/engine/statuses';
import { reasonWords } from '@/lib/insight/analytics/plots/hops';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatListCount } from '@/lib/platform/format/count';
import { HOP_WORDS } from '../chains/hop-words';
import { type Params, RANGE_WORDS } from '../lists/list-params';
import { RangedList, rangeFilters, rangeLimits, tierFilter } from '../lists/ranged-list';
import { Cost } from '../status/cost';
import { stateLook } from '../status/states';
import { EmptyState } from '../ui/empty-state';
import { sessionFiltersOf } from './session-params';
import { SessionTable } from './session-table';

/** Chains a page: most have one session. */
const PAGE = 30;

interface SessionsViewProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/sessions". */
  path: string;
  /** Slug; null lists those of every project. */
  project: string | null;
  /** To choose from, on pages of the whole organization. */
  projects: readonly { slug: string; name: string }[];
}

/** A page of sessions by chain with its filters, all of them in the address. */
export async function SessionsView(props: SessionsViewProps) {
  const { scope, params, path, project, projects } = props;
  const filters = sessionFiltersOf(params);
  const { status, tier, runner, end, hop, reason } = filters;
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const ranged = rangeFilters(params, '7d');
  const page = await browseSessions(scope, {
    project: project ?? chosen,
    ...filters,
    ...rangeLimits(ranged),
    before: ranged.before,
    after: ranged.after,
    limit: PAGE,
  });
  const { count, costMicros } = page.total;
  return (
    <RangedList
      what="sessions"
      path={path}
      params={params}
      ranged={ranged}
      isFiltered={ranged.isFiltered || Object.values(filters).some(Boolean) || Boolean(chosen)}
      filters={[
        {
          name: 'status',
          label: 'Status',
          value: status,
          allLabel: 'Any status',
          choices: SESSION_STATUSES.map((value) => ({
            value,
            label: stateLook('session', value).word,
          })),
        },
        tierFilter(tier, 'Tier'),
        ...(projects.length > 1
          ? [
              {
                name: 'project',
                label: 'Project',
                value: chosen,
                allLabel: 'Any project',
                choices: projects.map(({ slug, name }) => ({ value: slug, label: name })),
              },
            ]
          : []),
        {
          name: 'runner',
          label: 'Runner',
          value: runner,
          allLabel: 'Any runner',
          choices: page.runners.map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          name: 'end',
          label: 'An attempt ended as',
          value: end,
          allLabel: 'Any end',
          choices: ATTEMPT_ENDS.map((value) => ({
            value,
            label: stateLook('attempt', value).word,
          })),
        },
      ]}
      chips={[
        ...(hop ? [{ label: HOP_WORDS[hop], name: 'hop' }] : []),
        ...(reason ? [{ label: reasonWords(reason), name: 'reason' }] : []),
      ]}
      isEmpty={page.groups.length === 0}
      empty={
        <EmptyState title="No sessions in 7 d.">They appear when the first cycle runs.</EmptyState>
      }
      page={page}
      total={
        <>
          {formatListCount(count)} {count === 1 ? 'session' : 'sessions'},{' '}
          {ranged.span ? 'in this span' : RANGE_WORDS[ranged.range]},{' '}
          <Cost
            micros={costMicros}
            unknownReason="Costs of more sessions than are counted here are not summed. Filter the list."
          />
        </>
      }
    >
      <SessionTable
        groups={page.groups}
        orgSlug={scope.organizationSlug}
        showsProject={project === null}
      />
    </RangedList>
  );
}
