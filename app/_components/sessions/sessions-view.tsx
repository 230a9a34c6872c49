import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { SESSION_STATUSES } from '@/lib/insight/sessions/schema';
import { browseSessions } from '@/lib/insight/sessions/service/browse-sessions';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatListCount } from '@/lib/platform/format/count';
import { FilterBar } from '../lists/filter-bar';
import { FilterChips } from '../lists/filter-chips';
import {
  choiceParam,
  hrefWith,
  idParam,
  type Params,
  RANGE_WORDS,
  RANGES,
  rangeParam,
  sinceOf,
  spanParam,
  tierParam,
} from '../lists/list-params';
import { Cost } from '../status/cost';
import { stateLook } from '../status/states';
import { tierName } from '../status/tier-mark';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
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
  const status = choiceParam(params, 'status', SESSION_STATUSES);
  const tier = tierParam(params);
  const runner = idParam(params, 'runner', 'rnr');
  const end = choiceParam(params, 'end', ATTEMPT_ENDS);
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const range = rangeParam(params, '7d');
  const before = idParam(params, 'before', 'chn');
  const after = idParam(params, 'after', 'chn');
  const span = spanParam(params);
  const page = await browseSessions(scope, {
    project: project ?? chosen,
    status,
    tier,
    runner,
    end,
    since: span?.from ?? sinceOf(range, new Date()),
    until: span?.to,
    before,
    after,
    limit: PAGE,
  });
  const isFiltered = Boolean(status || tier || runner || end || chosen || span || range !== '7d');
  const { count, costMicros } = page.total;
  return (
    <>
      <FilterBar
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
          {
            name: 'tier',
            label: 'Tier',
            value: tier?.toString(),
            allLabel: 'Any tier',
            choices: ([1, 2, 3] as const).map((value) => ({
              value: String(value),
              label: tierName(value),
            })),
          },
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
          {
            name: 'range',
            label: 'Started within',
            value: range,
            allLabel: null,
            choices: RANGES.map((value) => ({ value, label: RANGE_WORDS[value] })),
          },
        ].filter((filter) => !span || filter.name !== 'range')}
      />
      <FilterChips
        span={span}
        spanClearHref={hrefWith(path, params, { from: null, to: null })}
        words={[]}
      />
      {page.groups.length === 0 ? (
        <div className="rounded-card border border-line bg-surface">
          {isFiltered || before || after ? (
            <NoMatch what="sessions" clearHref={path} />
          ) : (
            <EmptyState title="No sessions in 7 d.">
              They appear when the first cycle runs.
            </EmptyState>
          )}
        </div>
      ) : (
        <FrozenWhileUsed>
          <SessionTable
            groups={page.groups}
            orgSlug={scope.organizationSlug}
            showsProject={project === null}
          />
        </FrozenWhileUsed>
      )}
      <Pagination
        newerHref={page.newerThan && hrefWith(path, params, { after: page.newerThan })}
        olderHref={page.olderThan && hrefWith(path, params, { before: page.olderThan })}
      >
        {formatListCount(count)} {count === 1 ? 'session' : 'sessions'},{' '}
        {span ? 'in this span' : RANGE_WORDS[range]},{' '}
        <Cost
          micros={costMicros}
          unknownReason="Costs of more sessions than are counted here are not summed. Filter the list."
        />
      </Pagination>
    </>
  );
}
