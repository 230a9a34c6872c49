import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { UnfinishedMark } from '@/app/_components/log/log-row';
import { Markdown } from '@/app/_components/markdown/markdown';
import { CrumbName } from '@/app/_components/shell/crumb-name';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Cost } from '@/app/_components/status/cost';
import { TextLink } from '@/app/_components/ui/link';
import { orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { ProjectPageProps } from '@/app/page-props';
import { pricesOf } from '@/lib/agents/registry';
import { getConversation, listTurns } from '@/lib/conversations/read-conversations';
import type { TurnDto } from '@/lib/conversations/schema';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getUnfinishedAnswer, listEvents } from '@/lib/insight/sessions/events';
import { hasRole } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { encodeId } from '@/lib/platform/ids';
import type { HarnessName } from '@/lib/protocol/spec';
import { Composer } from './_components/composer';
import { ConversationMenu } from './_components/conversation-menu';
import { conversationSentence, heldBecause, isMoving } from './_components/conversation-sentence';
import { RunningTurn } from './_components/running-turn';
import { StopTurn } from './_components/turn-acts';
import { TurnView } from './_components/turn-view';

const STICKY_ON_PHONES =
  'max-md:sticky max-md:bottom-14 max-md:-mx-4 max-md:border-line max-md:border-t max-md:bg-canvas max-md:px-4 max-md:py-3';

export async function generateMetadata({
  params,
}: ProjectPageProps<'conversationId'>): Promise<Metadata> {
  const { conversation } = await loadConversation(params);
  return { title: visibleText(`${conversation.title} · ${conversation.project.name}`) };
}

export default async function ConversationPage({
  params,
  searchParams,
}: ProjectPageProps<'conversationId'>) {
  const { scope, conversation, turns: all, root } = await loadConversation(params);
  const showsRemoved = (await searchParams).removed === '1';
  const refusal = await refusalOf(scope, 'operator', 'Asking and answering need');
  const { id, title, chain, agents, nextAgent, createdBy, costUsd, isBusy } = conversation;
  const base = `${root}/ask/${id}`;
  const history = all.filter((turn) => turn.cutAt === null);
  const removed = all.length - history.length;
  const reviewHref = hasRole(scope.role, 'admin') ? `${root}/settings/tiers` : null;
  const isLive = history.some(isMoving);
  return (
    <PageBody className="pb-6">
      <CrumbName segment={id} name={title} />
      <PageHeader
        title={title}
        meta={
          <FactLine>
            <span>
              About{' '}
              {chain ? (
                <TextLink href={`${root}/chains/${chain.number}`}>Chain #{chain.number}</TextLink>
              ) : (
                conversation.project.name
              )}
            </span>
            <span>{createdBy}</span>
            <span>{formatCounted(history.length, 'turn')}</span>
            {costUsd === null ? null : (
              <Cost micros={microsOf(costUsd)} form={isBusy ? 'running' : 'final'} />
            )}
          </FactLine>
        }
        sentence={conversationSentence(history, agents.length)}
        actions={
          <ConversationMenu
            organizationSlug={scope.organizationSlug}
            conversation={{ id, title }}
            turns={history.length}
            removed={removed}
            cost={costUsd === null ? null : formatCost(microsOf(costUsd))}
            isMoving={isBusy}
            listHref={`${root}/ask`}
            refusals={{
              rename: await refusalOf(scope, 'operator'),
              delete: await refusalOf(scope, 'admin'),
            }}
          />
        }
      />
      <ol aria-label="Turns" className="flex flex-col gap-8">
        {(showsRemoved ? all : history).map((turn) => (
          <TurnView
            key={turn.id}
            organizationSlug={scope.organizationSlug}
            turn={turn}
            laterTurns={history.filter(({ position }) => position > turn.position).length}
            isFollowedByMoving={isLive}
            agents={agents}
            refusal={refusal}
            reviewHref={reviewHref}
            unfinished={
              turn.endedAt === null ? null : (
                <UnfinishedPlace scope={scope} sessionId={turn.session.id} />
              )
            }
            running={
              isMoving(turn) && turn.cutAt === null ? (
                <RunningPlace
                  scope={scope}
                  turn={turn}
                  harness={agents.find(({ name }) => name === turn.agent)?.harness ?? null}
                  mayStop={refusal === null}
                  reviewHref={reviewHref}
                />
              ) : null
            }
          />
        ))}
      </ol>
      {removed > 0 ? (
        <p className="text-text-2 text-ui">
          {formatCounted(removed, 'turn was', 'turns were')} taken out of the history.{' '}
          <TextLink href={showsRemoved ? base : `${base}?removed=1`} scroll={false}>
            {showsRemoved ? 'Leave them out' : 'Show them'}
          </TextLink>
        </p>
      ) : null}
      {refusal === null ? (
        // While the agent answers nothing can be sent, so there the room is the answer's.
        <div className={isLive ? undefined : STICKY_ON_PHONES}>
          <Composer
            organizationSlug={scope.organizationSlug}
            conversationId={id}
            agents={agents}
            nextAgent={nextAgent}
            hasPredecessor={history.length > 0 || chain !== null}
            heldBecause={heldBecause(history)}
          />
        </div>
      ) : (
        <p className="text-text-2">{refusal}</p>
      )}
    </PageBody>
  );
}

/** What the agent had written when its turn ended without an answer; nothing where it wrote none. */
async function UnfinishedPlace({ scope, sessionId }: { scope: TenantScope; sessionId: string }) {
  const text = await getUnfinishedAnswer(scope, sessionId);
  if (text === null) return null;
  return (
    <section aria-label="Unfinished answer">
      <UnfinishedMark />
      <Markdown text={text} />
    </section>
  );
}

/** Drawn by the server; the stream brings the rest. */
const FIRST_EVENTS = 300;

interface RunningPlaceProps {
  scope: TenantScope;
  turn: TurnDto;
  /** The agent CLI that answers; null where the project no longer has that agent. */
  harness: HarnessName | null;
  mayStop: boolean;
  reviewHref: string | null;
}

/** A running turn, with the events stored by the time the page is rendered. */
async function RunningPlace(props: RunningPlaceProps) {
  const { scope, turn, harness, mayStop, reviewHref } = props;
  const { session, status, statusText, startedAt, conversationId } = turn;
  const { events, writing, projectId } = await listEvents(scope, session.id, {
    after: 0,
    limit: FIRST_EVENTS,
  });
  return (
    <RunningTurn
      key={session.id}
      organizationSlug={scope.organizationSlug}
      projectId={encodeId('prj', projectId)}
      session={{
        ...{ id: session.id, lastSeq: session.lastSeq, status, statusText, isEnded: false },
        log: { events, after: 0, isWhole: false, writing },
        prices: pricesOf(harness),
      }}
      startedAt={startedAt}
      reviewHref={reviewHref}
      actions={
        mayStop && status !== 'stopping' ? (
          <StopTurn
            organizationSlug={scope.organizationSlug}
            conversationId={conversationId}
            turn={turn}
          />
        ) : null
      }
    />
  );
}

interface ConversationParams {
  orgSlug: string;
  projectSlug: string;
  conversationId: string;
}

const load = cache(async (orgSlug: string, projectSlug: string, id: string) => {
  const { scope } = await requireMember(orgSlug);
  const [conversation, turns] = await orNotFound(
    Promise.all([getConversation(scope, id), listTurns(scope, id, { withCut: true })]),
  );
  if (conversation.project.slug !== projectSlug) notFound();
  return { scope, conversation, turns, root: `/${orgSlug}/projects/${projectSlug}` };
});

/** The conversation of the address with all its turns; leads to the 404 page when it is not there. */
async function loadConversation(params: Promise<ConversationParams>) {
  const { orgSlug, projectSlug, conversationId } = await params;
  return load(orgSlug, projectSlug, decodeURIComponent(conversationId));
}
