import { CHAIN_TRIGGERS } from '@/lib/engine/statuses';
import { TRIGGERS } from '@/lib/engine/triggers';
import { reasonWords } from '@/lib/insight/analytics/plots/hops';
import { browseChains } from '@/lib/insight/chains/list-chains';
import { chainStateFilterSchema } from '@/lib/insight/chains/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { chainFiltersOf, HOP_WORDS } from '../lists/chain-filters';
import type { Params } from '../lists/list-params';
import {
  projectFilter,
  RangedList,
  rangeFilters,
  rangeLimits,
  tierFilter,
} from '../lists/ranged-list';
import { stateLook } from '../status/states';
import { EmptyState } from '../ui/empty-state';
import { ChainTable } from './chain-table';

const PAGE = 50;

interface ChainsViewProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/chains". */
  path: string;
  /** Slug; null lists those of every project. */
  project: string | null;
  /** To choose from, on pages of the whole organization. */
  projects: readonly { slug: string; name: string }[];
}

/** A page of chains with its filters, all of them in the address. */
export async function ChainsView(props: ChainsViewProps) {
  const { scope, params, path, project, projects } = props;
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const filters = chainFiltersOf(params);
  const { state, trigger, service, tier, hop, reason, escalated } = filters;
  const ranged = rangeFilters(params, '30d');
  const page = await browseChains(scope, {
    project: project ?? chosen,
    ...filters,
    ...rangeLimits(ranged),
    before: ranged.before,
    after: ranged.after,
    limit: PAGE,
  });
  return (
    <RangedList
      what="chains"
      path={path}
      params={params}
      ranged={ranged}
      isFiltered={ranged.isFiltered || Object.values(filters).some(Boolean) || chosen !== undefined}
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
        tierFilter(tier, 'Highest tier', 'Up to '),
        ...projectFilter(projects, chosen),
        {
          name: 'service',
          label: 'Service',
          value: service,
          allLabel: 'Any service',
          choices: [...new Set([...page.services, ...(service ? [service] : [])])].map((value) => ({
            value,
            label: value,
          })),
        },
        {
          name: 'trigger',
          label: 'Trigger',
          value: trigger,
          allLabel: 'Any trigger',
          choices: CHAIN_TRIGGERS.map((value) => ({ value, label: TRIGGERS[value].label })),
        },
      ]}
      chips={[
        ...(hop ? [{ label: HOP_WORDS[hop], name: 'hop' }] : []),
        ...(reason ? [{ label: reasonWords(reason), name: 'reason' }] : []),
        ...(escalated ? [{ label: `Escalated to tier ${escalated}`, name: 'escalated' }] : []),
      ]}
      isEmpty={page.data.length === 0}
      empty={
        <EmptyState title="No chains in 30 d.">
          One starts at every slot of the schedule, and when somebody runs it now.
        </EmptyState>
      }
      page={page}
    >
      <ChainTable
        chains={page.data}
        orgSlug={scope.organizationSlug}
        showsProject={project === null}
      />
    </RangedList>
  );
}
