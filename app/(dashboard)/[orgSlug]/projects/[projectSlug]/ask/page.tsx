import type { ReactNode } from 'react';
import { textParam } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Cost } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { TextLink } from '@/app/_components/ui/link';
import { Pagination } from '@/app/_components/ui/pagination';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { ProjectPageProps } from '@/app/page-props';
import { listConversations } from '@/lib/conversations/read-conversations';
import type { ConversationDto } from '@/lib/conversations/schema';
import { getChainWork } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import type { ChainDetail, ChainItem } from '@/lib/insight/chains/schema';
import { getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { microsOf } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';
import { agentsOf } from '@/lib/projects/ask-agents';
import { getCurrentProject } from '@/lib/projects/versions';
import { FrozenWhileUsed } from '../../../_components/frozen-while-used';
import { refusalOf } from '../../../_components/permission';
import { loadProject, projectMetadata } from '../_components/load-project';
import { loadChain } from '../chains/[number]/_components/load-chain';
import { NewConversation } from './_components/new-conversation';
import { chainQuestions, exampleQuestions } from './_components/suggested-questions';

const PAGE = 30;

export const generateMetadata = projectMetadata('Ask');

export default async function AskPage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const query = await searchParams;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  const number = textParam(query, 'chain');
  const chain = number ? (await loadChain(orgSlug, projectSlug, number)).chain : null;
  const base = `/${orgSlug}/projects/${projectSlug}/ask`;
  const cursor = textParam(query, 'cursor');
  const [refusal, { config }, { data, nextCursor }] = await Promise.all([
    refusalOf(scope, 'operator', 'Asking needs'),
    getCurrentProject(scope, projectSlug),
    listConversations(scope, {
      project: projectSlug,
      chain: chain?.id,
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    }),
  ]);
  const isEnded = chain === null || chain.status === 'ended';
  const examples = chain
    ? await loadChainExamples(scope, chain)
    : await loadExamples(scope, project);
  const about = chain ? `?chain=${chain.number}` : '';
  return (
    <PageBody>
      <PageHeader
        title={chain ? `Ask about Chain #${chain.number}` : 'Ask'}
        meta={chain ? <TextLink href={base}>All conversations of {project.name}</TextLink> : null}
        sentence={
          chain
            ? `The agent continues from where Chain #${chain.number} ended. It is read-only.`
            : `The agent reads, checks and answers about ${project.name}, and changes nothing: it has the tools and rules of tier 1.`
        }
      />
      {refusal === null && isEnded ? (
        <Card>
          <NewConversation
            organizationSlug={orgSlug}
            project={projectSlug}
            base={base}
            chain={chain && { id: chain.id, number: chain.number }}
            agents={agentsOf(config)}
            examples={examples}
          />
        </Card>
      ) : (
        <p className="text-text-2">
          {refusal ?? `Chain #${number} is still running. Ask about it once it has ended.`}
        </p>
      )}
      {data.length > 0 ? (
        <FrozenWhileUsed>
          <ConversationTable conversations={data} base={base} />
        </FrozenWhileUsed>
      ) : (
        <div className="rounded-card border border-line bg-surface">
          <Nothing isFurther={cursor !== undefined} href={base + about}>
            {chain ? `No questions about Chain #${chain.number} yet.` : 'No conversations yet.'}
          </Nothing>
        </div>
      )}
      <Pagination
        newerHref={cursor ? base + about : null}
        olderHref={
          nextCursor &&
          `${base}?${new URLSearchParams({ ...(chain ? { chain: String(chain.number) } : {}), cursor: nextCursor })}`
        }
      />
    </PageBody>
  );
}

interface NothingProps {
  /** Behind the last page: conversations went away. */
  isFurther: boolean;
  href: string;
  children: ReactNode;
}

function Nothing({ isFurther, href, children }: NothingProps) {
  if (!isFurther) {
    return (
      <EmptyState title={String(children)}>
        A conversation keeps its questions, answers, cost and what the agent looked at.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No older conversations."
      actions={<ButtonLink href={href}>To the newest</ButtonLink>}
    />
  );
}

/** Questions made from what a chain did. */
async function loadChainExamples(scope: TenantScope, chain: ChainDetail): Promise<string[]> {
  if (chain.status !== 'ended') return [];
  const sessions = chain.sessions.map(({ id }) => id);
  const { actions } = await getChainWork(scope, chain.id, sessions);
  const counted = actions.flatMap((call) => call.counted);
  return chainQuestions({
    ...chain,
    hasActed: actions.length > 0,
    restarted: counted.filter(({ action }) => action === 'restart').map(({ service }) => service),
  });
}

const LOOKED_AT = 20;
const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** Questions made from the newest chains, the services and the spending of a project. */
async function loadExamples(scope: TenantScope, project: ProjectFacts): Promise<string[]> {
  const [services, { data: chains }] = await Promise.all([
    getServiceHealth(scope, project.id),
    listChains(scope, { project: project.slug, limit: LOOKED_AT }),
  ]);
  const newest = (isWanted: (chain: ChainItem) => boolean) => chains.find(isWanted) ?? null;
  const needsHuman = newest(({ outcome }) => WAITS_FOR_PEOPLE.includes(outcome ?? ''));
  const fixed = newest(({ outcome }) => outcome === 'fixed');
  return exampleQuestions({
    projectName: project.name,
    needsHuman,
    fixed: fixed && { number: fixed.number, services: fixed.servicesAffected },
    services,
    dayMicros: project.dayMicros,
    monthMicros: project.monthMicros,
  });
}

interface ConversationTableProps {
  conversations: readonly ConversationDto[];
  base: string;
}

function ConversationTable({ conversations, base }: ConversationTableProps) {
  return (
    <DataTable
      label="Conversations"
      columns={COLUMNS}
      rows={conversations}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `${base}/${id}`}
    />
  );
}

const COLUMNS: Column<ConversationDto>[] = [
  {
    header: 'Conversation',
    phone: 'title',
    cell: ({ title, phase }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{title}</span>
        {phase === 'idle' ? null : <StatusBadge kind="conversation" state={phase} />}
      </span>
    ),
    className: 'md:min-w-64',
  },
  {
    header: 'About',
    cell: ({ chain, project }) => (chain ? `Chain #${chain.number}` : project.name),
    className: 'whitespace-nowrap',
  },
  { header: 'Started by', cell: ({ createdBy }) => createdBy },
  { header: 'Turns', align: 'end', cell: ({ turns }) => formatCount(turns) },
  {
    header: 'Last turn',
    cell: ({ lastTurnAt }) => <Time at={lastTurnAt} isPlain />,
  },
  {
    header: 'Cost',
    align: 'end',
    phone: 'aside',
    cell: ({ costUsd, isBusy }) => (
      <Cost
        micros={costUsd === null ? null : microsOf(costUsd)}
        form={isBusy ? 'running' : 'final'}
        unknownReason="No turn has reported its usage"
      />
    ),
  },
];
