import type { Metadata } from 'next';
import { callTitle } from '@/app/_components/log/calls';
import { LogPart } from '@/app/_components/log/log-part';
import { LogProvider } from '@/app/_components/log/log-provider';
import { rowId } from '@/app/_components/log/places';
import { PendingApprovals } from '@/app/_components/pending-approvals';
import { ChainStrip } from '@/app/_components/sessions/chain-strip';
import { PageBody } from '@/app/_components/shell/page-header';
import { Cost } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import { TurnOnTier } from '@/app/(dashboard)/[orgSlug]/_components/turn-on-tier';
import type { ProjectPageProps } from '@/app/page-props';
import { DELIVERY_RETENTION_DAYS } from '@/lib/deliveries/manage-deliveries';
import { tierToTurnOn } from '@/lib/engine/escalation/reasons';
import { listRunners } from '@/lib/fleet/manage-runners';
import { listPending } from '@/lib/insight/approvals/list-approvals';
import { getChainLog, type SessionLog } from '@/lib/insight/chains/chain-log';
import { getChainWork, isTierOn } from '@/lib/insight/chains/get-chain';
import type { ChainDetail, WorkCall } from '@/lib/insight/chains/schema';
import type { DecisionDto, HandoffDto, SessionItem } from '@/lib/insight/sessions/schema';
import { hasRole } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { microsOf } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../../_components/load-project';
import { ChainActions, ChainHeader, chainSentence } from './_components/chain-header';
import { DeliveryList, RecoveryList, ServiceChanges } from './_components/chain-lists';
import { ChainCost, CostCard } from './_components/cost-card';
import { HopCard } from './_components/hop-card';
import { loadChain, logSessions } from './_components/load-chain';

export async function generateMetadata({ params }: ProjectPageProps<'number'>): Promise<Metadata> {
  const { orgSlug, projectSlug, number } = await params;
  const { chain } = await loadChain(orgSlug, projectSlug, number);
  return { title: visibleText(`Chain #${chain.number} · ${chain.project.name}`) };
}

export default async function ChainPage({ params }: ProjectPageProps<'number'>) {
  const { orgSlug, projectSlug, number } = await params;
  const { scope, chain, root } = await loadChain(orgSlug, projectSlug, number);
  const { project } = await loadProject(orgSlug, projectSlug);
  const sessionIds = chain.sessions.map((session) => session.id);
  const [work, logs] = await Promise.all([
    getChainWork(scope, chain.id, sessionIds),
    getChainLog(scope, chain.id),
  ]);
  const isMoving = chain.outcome === null;
  const pending = isMoving ? await listPending(scope, { chain: chain.id, limit: 20 }) : [];
  const runners = isMoving ? (await listRunners(scope, { limit: 100 })).data : [];
  const hops = hopsOf(chain);
  const sentence = chainSentence(chain, project.pool, runners);
  const sessions = logSessions(chain, work, logs);
  const lists = { sessions: chain.sessions, logs, root };
  return (
    <LogProvider
      key={chain.id}
      organizationSlug={orgSlug}
      projectId={chain.project.id}
      sessions={sessions}
    >
      <PageBody width="wide">
        <ChainHeader
          chain={chain}
          sentence={sentence}
          cost={<ChainCost chain={chain} work={work} isPlain />}
          remedy={<NextTier scope={scope} chain={chain} />}
          actions={<ChainActions scope={scope} chain={chain} />}
        />
        <PendingApprovals approvals={pending} orgSlug={orgSlug} />
        {/* Where there is one column, cost and services come right after what was changed. */}
        <div className="grid items-start gap-6 max-xl:flex max-xl:flex-col max-xl:items-stretch xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4 max-xl:contents">
            <Card
              title="Commands that changed something"
              note={work.actions.length}
              isFlush
              className="max-xl:-order-4"
            >
              {work.actions.length === 0 ? (
                <Nothing>
                  {isMoving
                    ? 'No state-changing commands so far.'
                    : 'No state-changing commands were run.'}
                </Nothing>
              ) : (
                <CallList label="Commands that changed something" calls={work.actions} {...lists} />
              )}
            </Card>
            {work.denied.length > 0 ? (
              <Card title="Denied" note={work.denied.length} isFlush className="max-xl:-order-3">
                <CallList label="Denied calls" calls={work.denied} {...lists} />
              </Card>
            ) : null}
            {chain.sessions.length > 0 ? (
              <Card>
                <h2 className="sr-only">Sessions</h2>
                <ChainStrip sessions={chain.sessions} attempts={work.attempts} root={root} />
                <RecoveryList sessions={chain.sessions} attempts={work.attempts} root={root} />
              </Card>
            ) : null}
            <LogPart
              name={`Chain #${chain.number}`}
              sessions={sessions}
              root={root}
              isEnded={!isMoving}
              reviewHref={hasRole(scope.role, 'admin') ? `${root}/settings/tiers` : null}
              emptyText={isMoving ? 'No session has started yet.' : 'No session was started.'}
              end={isMoving ? null : <ChainEnd chain={chain} />}
              page={null}
            />
            {hops.length > 0 ? (
              <Card title="Escalations" isFlush>
                {hops.map((hop) => (
                  <HopCard key={hop.to.id} {...hop} values={chain.escalations} root={root} />
                ))}
              </Card>
            ) : null}
          </div>
          <div className="flex min-w-0 flex-col gap-4 max-xl:contents">
            <div id="cost" className="scroll-mt-18 max-xl:-order-2">
              <CostCard
                chain={chain}
                work={work}
                root={root}
                jsonHref={`/api/v1/chains/${chain.id}?organization=${orgSlug}`}
              />
            </div>
            <div className="max-xl:-order-1">
              <ServiceChanges services={chain.services} />
            </div>
            <Card
              title="Deliveries"
              note={work.deliveries.length}
              isFlush
              actions={
                hasRole(scope.role, 'admin') ? (
                  <Link href={auditHref(orgSlug, chain)} className="link text-ui">
                    Audit log
                  </Link>
                ) : null
              }
            >
              {work.deliveries.length === 0 ? (
                <Nothing>{noDeliveries(chain.endedAt)}</Nothing>
              ) : (
                <DeliveryList deliveries={work.deliveries} orgSlug={orgSlug} />
              )}
            </Card>
          </div>
        </div>
      </PageBody>
    </LogProvider>
  );
}

/** Entries of the project from this chain's beginning to shortly after its end. */
function auditHref(orgSlug: string, { project, createdAt, endedAt }: ChainDetail): string {
  const to = new Date((endedAt ? Date.parse(endedAt) : Date.now()) + 60_000).toISOString();
  return `/${orgSlug}/audit?${new URLSearchParams({ project: project.slug, from: createdAt, to })}`;
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

/** The last row of the log: how the chain ended. Why is the decision above it. */
function ChainEnd({ chain }: { chain: ChainDetail }) {
  const { number, outcome, startedAt, endedAt } = chain;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
      Chain #{number} ended:
      <StatusBadge kind="chain" state={outcome ?? 'failed'} reason="" />
      {startedAt && endedAt ? <Duration from={startedAt} to={endedAt} /> : null}
      {chain.sessions.length > 0 ? (
        <Cost
          micros={microsOf(chain.totalCostUsd)}
          form={chain.isCostEstimated ? 'estimate' : 'final'}
        />
      ) : null}
    </p>
  );
}

interface NextTierProps {
  scope: TenantScope;
  chain: ChainDetail;
}

/** Where the settings stopped a chain: the way to turn the next tier on, unless it's on by now. */
async function NextTier({ scope, chain }: NextTierProps) {
  const { outcome, outcomeReason, highestTier, project } = chain;
  const tier = tierToTurnOn({ outcome, reason: outcomeReason, highestTier });
  if (tier === null) return null;
  if (await isTierOn(scope, project.id, tier)) {
    return <span className="text-text-2">Tier {tier} has been turned on since.</span>;
  }
  return <TurnOnTier scope={scope} projectSlug={project.slug} tier={tier} />;
}

interface CallListProps {
  label: string;
  calls: readonly WorkCall[];
  sessions: readonly SessionItem[];
  logs: readonly SessionLog[];
  /** Of the project: "/acme/projects/checkout". */
  root: string;
}

/** Calls in the order they were made: tier, command, service, result. Each leads to its row of the log. */
function CallList({ label, calls, sessions, logs, root }: CallListProps) {
  return (
    <ol aria-label={label}>
      {calls.map((call) => {
        const session = sessions.find(({ id }) => id === call.sessionId);
        if (!session) return null;
        const { mark, text } = callTitle(call.tool, call.input);
        const services = [...new Set(call.counted.map(({ service }) => service))].join(', ');
        return (
          <li
            key={`${call.sessionId}-${call.seq}`}
            className="relative grid grid-cols-[2.75rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-line border-t px-4 py-1.5 first:border-t-0 hover:bg-hover max-md:grid-cols-[2.75rem_minmax(0,1fr)]"
          >
            <TierMark tier={session.tier as Tier} />
            <Link
              href={hrefOf(call, session, logs, root)}
              className="min-w-0 after:absolute after:inset-0 hover:underline"
            >
              <code className="line-clamp-2 text-code [overflow-wrap:anywhere]" title={text}>
                <span className="text-text-3">{mark} </span>
                <SafeText text={text} />
              </code>
            </Link>
            <span className="flex gap-x-3 text-text-2 text-ui tabular-nums max-md:col-start-2">
              {services ? <span>{services}</span> : null}
              <Result call={call} />
              {call.durationMs === null || call.isDenied ? null : (
                <span>{formatDuration(call.durationMs)}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The row on this page; where the log here is cut off before it, the one of the session. */
function hrefOf(
  call: WorkCall,
  session: SessionItem,
  logs: readonly SessionLog[],
  root: string,
): string {
  const log = logs.find(({ sessionId }) => sessionId === call.sessionId);
  const isHere =
    log?.isEnded === false
      ? call.seq > log.after
      : log?.events.some(({ seq }) => seq === call.seq) === true;
  return isHere
    ? `#${rowId({ sessionNumber: session.number }, call.seq)}`
    : `${root}/sessions/${session.number}?event=${call.seq}`;
}

function Result({ call }: { call: WorkCall }) {
  if (call.isDenied) return <span className="text-wait-fg">Denied</span>;
  if (call.isLeftRunning) return <span className="text-bad-fg">may still run</span>;
  if (call.exitCode !== null) {
    return (
      <span className={call.exitCode === 0 ? undefined : 'text-bad-fg'}>exit {call.exitCode}</span>
    );
  }
  if (call.durationMs === null) return <span className="text-text-3">no result</span>;
  return call.isError ? <span className="text-bad-fg">failed</span> : <span>done</span>;
}
