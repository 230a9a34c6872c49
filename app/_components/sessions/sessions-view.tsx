import { Download } from 'lucide-react';
import { Fragment } from 'react';
import { TextLink } from '@/app/_components/ui/link';
import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { SESSION_STATUSES } from '@/lib/engine/statuses';
import { reasonWords } from '@/lib/insight/analytics/plots/hops';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import type { SessionPage } from '@/lib/insight/sessions/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatListCount } from '@/lib/platform/format/count';
import { HOP_WORDS, sessionFiltersOf } from '../lists/chain-filters';
import { type Params, RANGE_WORDS, textParam } from '../lists/list-params';
import {
  projectFilter,
  RangedList,
  rangeFilters,
  rangeLimits,
  tierFilter,
} from '../lists/ranged-list';
import { Cost } from '../status/cost';
import { stateLook } from '../status/states';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
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
  const text = textParam(params, 'q')?.trim() || undefined;
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const ranged = rangeFilters(params, '7d');
  const limits = rangeLimits(ranged);
  const isFiltered = Object.values(filters).some(Boolean) || Boolean(text || chosen);
  const page = await browseSessions(scope, {
    project: project ?? chosen,
    ...filters,
    text,
    ...limits,
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
      isFiltered={ranged.isFiltered || isFiltered}
      search={{ label: 'Search sessions', value: text ?? '' }}
      action={
        <Button asChild>
          <a
            href={exportHref(scope.organizationSlug, {
              project: project ?? chosen,
              status,
              tier: tier?.toString(),
              runner,
              end,
              q: text,
              hop,
              reason,
              from: limits.since?.toISOString(),
              to: limits.until?.toISOString(),
            })}
            download
          >
            <Download aria-hidden /> Export CSV
          </a>
        </Button>
      }
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
        ...projectFilter(projects, chosen),
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
        <EmptyState title="No sessions in 7 d.">They appear when the first chain runs.</EmptyState>
      }
      page={page}
    >
      <SessionTable
        groups={page.groups}
        orgSlug={scope.organizationSlug}
        showsProject={project === null}
        footer={
          <>
            <span>
              {formatListCount(count)} {count === 1 ? 'session' : 'sessions'},{' '}
              {ranged.span ? 'in this span' : RANGE_WORDS[ranged.range]}
            </span>
            <Cost
              micros={costMicros}
              unknownReason="Costs of more sessions than are counted here are not summed. Filter the list."
              className="font-medium"
            />
          </>
        }
      />
      {project && !isFiltered ? (
        <AskNumbers
          numbers={page.askNumbers}
          root={`/${scope.organizationSlug}/projects/${project}`}
        />
      ) : null}
    </RangedList>
  );
}

/** The same list as a file. */
function exportHref(orgSlug: string, filters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  const search = query.toString();
  const path = `/${orgSlug}/sessions/sessions.csv`;
  return search === '' ? path : `${path}?${search}`;
}

interface AskNumbersProps {
  numbers: SessionPage['askNumbers'];
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
}

/** Says why numbers are missing in the list: questions in Ask are sessions, too. */
function AskNumbers({ numbers, root }: AskNumbersProps) {
  if (numbers.length === 0) return null;
  return (
    <p className="px-1 pt-2 text-meta text-text-3">
      {numbers.length === 1 ? 'A question' : 'Questions'} in{' '}
      <TextLink href={`${root}/ask`}>Ask</TextLink> took{' '}
      {numbers.map(({ number, conversationId }, index) => (
        <Fragment key={number}>
          {index > 0 ? ', ' : ''}
          {conversationId ? (
            <TextLink href={`${root}/ask/${conversationId}`}>Session #{number}</TextLink>
          ) : (
            `Session #${number}`
          )}
        </Fragment>
      ))}
      {numbers.length === 1 ? ', so it isn’t' : ', so they aren’t'} in this list.
    </p>
  );
}
