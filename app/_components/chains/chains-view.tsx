import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { reasonWords } from '@/lib/insight/analytics/hops/reason-words';
import { chainStateFilterSchema, HOP_FILTERS } from '@/lib/insight/chains/browse/schema';
import { browseChains } from '@/lib/insight/chains/browse-chains';
import type { TenantScope } from '@/lib/platform/db/scope';
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
  textParam,
  tierParam,
} from '../lists/list-params';
import { stateLook } from '../status/states';
import { tierName } from '../status/tier-mark';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
import { ChainTable, TRIGGER_WORDS } from './chain-table';

const PAGE = 50;
const TRIGGERS = ['schedule', 'manual', 'api'] as const;

const HOP_WORDS = {
  any: 'Went on to another tier',
  resume: 'Resumed',
  handoff: 'Handed off',
  fallback: 'Handed off after a failed resume',
};

interface ChainsViewProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/chains". */
  path: string;
  /** Slug; null lists those of every project. */
  project: string | null;
}

/** A page of chains with its filters, all of them in the address. */
export async function ChainsView({ scope, params, path, project }: ChainsViewProps) {
  const state = choiceParam(params, 'outcome', chainStateFilterSchema.options);
  const trigger = choiceParam(params, 'trigger', TRIGGERS);
  const service = textParam(params, 'service');
  const tier = tierParam(params);
  const range = rangeParam(params, '30d');
  const before = idParam(params, 'before', 'chn');
  const after = idParam(params, 'after', 'chn');
  const span = spanParam(params);
  const hop = choiceParam(params, 'hop', HOP_FILTERS);
  const reason = textParam(params, 'reason');
  const page = await browseChains(scope, {
    project: project ?? undefined,
    state,
    tier,
    service,
    trigger,
    hop,
    reason,
    since: span?.from ?? sinceOf(range, new Date()),
    until: span?.to,
    before,
    after,
    limit: PAGE,
  });
  const isFiltered = Boolean(
    state || trigger || service || tier || span || hop || reason || range !== '30d',
  );
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'outcome',
            label: 'Outcome',
            value: state,
            allLabel: 'Any outcome',
            choices: chainStateFilterSchema.options.map((value) => ({
              value,
              label: value === 'moving' ? 'Still moving' : stateLook('chain', value).word,
            })),
          },
          {
            name: 'tier',
            label: 'Highest tier',
            value: tier?.toString(),
            allLabel: 'Any tier',
            choices: ([1, 2, 3] as const).map((value) => ({
              value: String(value),
              label: `Up to ${tierName(value)}`,
            })),
          },
          {
            name: 'service',
            label: 'Service',
            value: service,
            allLabel: 'Any service',
            choices: [...new Set([...page.services, ...(service ? [service] : [])])].map(
              (value) => ({ value, label: value }),
            ),
          },
          {
            name: 'trigger',
            label: 'Trigger',
            value: trigger,
            allLabel: 'Any trigger',
            choices: TRIGGERS.map((value) => ({ value, label: TRIGGER_WORDS[value] })),
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
        words={[
          ...(hop
            ? [{ label: HOP_WORDS[hop], clearHref: hrefWith(path, params, { hop: null }) }]
            : []),
          ...(reason
            ? [{ label: reasonWords(reason), clearHref: hrefWith(path, params, { reason: null }) }]
            : []),
        ]}
      />
      {page.data.length === 0 ? (
        <div className="rounded-card border border-line bg-surface">
          {isFiltered || before || after ? (
            <NoMatch what="chains" clearHref={path} />
          ) : (
            <EmptyState title="No chains in 30 d.">
              One starts at every slot of the schedule, and when somebody runs it now.
            </EmptyState>
          )}
        </div>
      ) : (
        <FrozenWhileUsed>
          <ChainTable
            chains={page.data}
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
