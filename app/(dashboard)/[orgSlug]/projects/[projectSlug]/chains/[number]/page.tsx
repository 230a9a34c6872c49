import type { Metadata } from 'next';
import { FeedList } from '@/app/_components/chains/feed-list';
import { PageBody } from '@/app/_components/shell/page-body';
import { Card } from '@/app/_components/ui/card';
import { DELIVERY_RETENTION_DAYS } from '@/lib/deliveries/manage-deliveries';
import { listRunners } from '@/lib/fleet/manage-runners';
import { findFixStanding } from '@/lib/insight/chains/fix-standing';
import { getChainWork } from '@/lib/insight/chains/get-chain';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { DecisionDto, HandoffDto, SessionItem } from '@/lib/insight/sessions/schema';
import { loadProject } from '../../_components/load-project';
import { CallTable } from './_components/call-table';
import { ChainActions, ChainHeader } from './_components/chain-header';
import {
  DeliveryList,
  RecoveryList,
  ServiceChanges,
  SessionStack,
} from './_components/chain-lists';
import { chainSentence } from './_components/chain-sentence';
import { CostCard } from './_components/cost-card';
import { DecisionTable } from './_components/decision-table';
import { HopCard } from './_components/hop-card';
import { Lanes } from './_components/lanes';
import { loadChain } from './_components/load-chain';

interface ChainPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string; number: string }>;
}

export async function generateMetadata({ params }: ChainPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug, number } = await params;
  const { chain } = await loadChain(orgSlug, projectSlug, number);
  return { title: `#${chain.number} · ${chain.project.name}` };
}

export default async function ChainPage({ params }: ChainPageProps) {
  const { orgSlug, projectSlug, number } = await params;
  const { scope, chain, root } = await loadChain(orgSlug, projectSlug, number);
  const { project } = await loadProject(orgSlug, projectSlug);
  const sessionIds = chain.sessions.map((session) => session.id);
  const work = await getChainWork(scope, chain.id, sessionIds);
  const fix = chain.outcome === 'fixed' ? await findFixStanding(scope, chain.id) : null;
  const isMoving = chain.outcome === null;
  const runners = isMoving ? (await listRunners(scope, { limit: 100 })).data : [];
  const hops = hopsOf(chain);
  return (
    <PageBody width="wide">
      <ChainHeader
        chain={chain}
        fix={fix}
        sentence={chainSentence(chain, project.pool, runners)}
        actions={<ChainActions scope={scope} chain={chain} />}
      />
      {chain.sessions.length > 0 ? (
        <Card title="Timeline">
          <div className="max-md:hidden">
            <Lanes sessions={chain.sessions} attempts={work.attempts} root={root} />
          </div>
          <div className="md:hidden">
            <SessionStack sessions={chain.sessions} attempts={work.attempts} root={root} />
          </div>
          <RecoveryList sessions={chain.sessions} attempts={work.attempts} root={root} />
        </Card>
      ) : null}
      <div className="grid items-start gap-6 max-xl:flex max-xl:flex-col max-xl:items-stretch xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {hops.length > 0 ? (
            <Card title="Escalations" isFlush>
              {hops.map((hop) => (
                <HopCard key={hop.to.id} {...hop} values={chain.escalations} root={root} />
              ))}
            </Card>
          ) : null}
          <Card title="Actions taken" note={work.actions.length} isFlush>
            {work.actions.length === 0 ? (
              <Nothing>No state-changing commands were run.</Nothing>
            ) : (
              <CallTable
                label="Actions taken"
                calls={work.actions}
                sessions={chain.sessions}
                root={root}
              />
            )}
          </Card>
          {work.denied.length > 0 ? (
            <Card title="Denied" note={work.denied.length} isFlush>
              <CallTable
                label="Denied calls"
                calls={work.denied}
                sessions={chain.sessions}
                root={root}
                isDenied
              />
            </Card>
          ) : null}
          <Card title="Decisions" note={chain.decisions.length} isFlush>
            {chain.decisions.length === 0 ? (
              <Nothing>
                {isMoving
                  ? 'How a session starts is decided when a runner takes it.'
                  : 'Nothing was decided.'}
              </Nothing>
            ) : (
              <DecisionTable decisions={chain.decisions} sessions={chain.sessions} root={root} />
            )}
          </Card>
          <Card title="Events" note={work.events.length} isFlush>
            {work.events.length === 0 ? (
              <Nothing>No events yet.</Nothing>
            ) : (
              <FeedList label="Events" events={work.events} orgSlug={orgSlug} />
            )}
          </Card>
        </div>
        {/* Where there is one column, cost and services come before what explains them. */}
        <div className="flex min-w-0 flex-col gap-6 max-xl:contents">
          <div id="cost" className="scroll-mt-18 max-xl:-order-2">
            <CostCard
              chain={chain}
              ledger={work.ledger}
              root={root}
              jsonHref={`/api/v1/chains/${chain.id}?organization=${orgSlug}`}
            />
          </div>
          <div className="max-xl:-order-1">
            <ServiceChanges services={chain.services} />
          </div>
          <Card title="Deliveries" note={work.deliveries.length} isFlush>
            {work.deliveries.length === 0 ? (
              <Nothing>{noDeliveries(chain.endedAt)}</Nothing>
            ) : (
              <DeliveryList deliveries={work.deliveries} orgSlug={orgSlug} />
            )}
          </Card>
        </div>
      </div>
    </PageBody>
  );
}

function Nothing({ children }: { children: string }) {
  return <p className="px-4 py-3 text-text-2 text-ui">{children}</p>;
}

const DAY_MS = 86_400_000;

function noDeliveries(endedAt: string | null): string {
  if (endedAt === null) return 'A summary goes out when the chain ends.';
  const isOld = Date.now() - Date.parse(endedAt) > DELIVERY_RETENTION_DAYS * DAY_MS;
  return isOld
    ? `Deliveries are kept for ${DELIVERY_RETENTION_DAYS} days.`
    : 'No webhook endpoint subscribes to this event.';
}

interface Hop {
  from: SessionItem;
  to: SessionItem;
  /** Why the lower tier handed up. */
  escalation: DecisionDto | null;
  /** How each process of the higher tier was started; a fallback has two. */
  starts: DecisionDto[];
  handoff: HandoffDto | null;
}

/** Every step from a tier to the next, in order. */
function hopsOf(chain: Pick<ChainDetail, 'sessions' | 'decisions' | 'handoffs'>): Hop[] {
  const { sessions, decisions, handoffs } = chain;
  return sessions.flatMap((to) => {
    const from = sessions.find((session) => session.id === to.parentSessionId);
    if (!from) return [];
    return {
      from,
      to,
      escalation:
        decisions.findLast(
          (decision) => decision.kind === 'escalation' && decision.sessionId === from.id,
        ) ?? null,
      starts: decisions.filter(
        (decision) => decision.kind === 'continuation' && decision.sessionId === to.id,
      ),
      handoff: handoffs.find((handoff) => handoff.fromSessionId === from.id) ?? null,
    };
  });
}
