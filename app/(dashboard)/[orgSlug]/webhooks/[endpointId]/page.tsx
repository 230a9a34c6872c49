import type { Metadata } from 'next';
import { cache } from 'react';
import { NextTry } from '@/app/_components/deliveries/next-try';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { CrumbName } from '@/app/_components/shell/crumb-name';
import { PageBody } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { EmptyState, NoMatch } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { Pagination } from '@/app/_components/ui/pagination';
import { SegmentedLinks } from '@/app/_components/ui/segmented';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { loadOverview, orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { PageProps } from '@/app/page-props';
import { getEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { getDelivery, listDeliveries } from '@/lib/deliveries/manage-deliveries';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getChain } from '@/lib/insight/chains/get-chain';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError } from '@/lib/platform/errors';
import { formatDuration } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import { encodeId } from '@/lib/platform/ids';
import { hostOf } from '../_components/endpoint-state';
import { RecoverFailed } from './_components/delivery-acts';
import { DeliveryDetail } from './_components/delivery-detail';
import { DeliveryFrame } from './_components/delivery-frame';
import {
  attemptResult,
  type DeliveryQuery,
  deliveryDetail,
  deliveryHref,
  isUnderWay,
  parseDeliveryQuery,
  STATUSES_OF,
  sinceTime,
} from './_components/delivery-words';
import { EndpointHeader } from './_components/endpoint-header';

const PAGE_SIZE = 25;

export async function generateMetadata({ params }: PageProps<'endpointId'>): Promise<Metadata> {
  const { orgSlug, endpointId } = await params;
  const { endpoint } = await loadEndpoint(orgSlug, endpointId);
  return { title: visibleText(`${hostOf(endpoint.url)} · Webhooks`) };
}

export default async function EndpointPage({ params, searchParams }: PageProps<'endpointId'>) {
  const { orgSlug, endpointId } = await params;
  const query = parseDeliveryQuery(await searchParams);
  const { scope, endpoint: found } = await loadEndpoint(orgSlug, endpointId);
  const now = new Date();
  const [{ overview }, list, newest, open, refusal] = await Promise.all([
    loadOverview(orgSlug),
    listDeliveries(scope, {
      limit: PAGE_SIZE,
      cursor: query.cursor,
      endpoint: found.id,
      status: STATUSES_OF[query.state],
      since: query.since && sinceTime(query.since, now).toISOString(),
    }),
    listDeliveries(scope, { limit: 1, endpoint: found.id }),
    loadDelivery(scope, found.id, query.delivery),
    refusalOf(scope, 'admin'),
  ]);
  // Read after its deliveries: a delivery that has ended isn't refreshed, so its effect must be seen.
  const endpoint = await getEndpoint(scope, found.id);
  const base = `/${orgSlug}/webhooks/${endpoint.id}`;
  const viewHref = (change: Partial<DeliveryQuery>) =>
    deliveryHref(base, { state: query.state, since: query.since }, change);
  const project = overview.projects.find(({ id }) => encodeId('prj', id) === endpoint.projectId);
  const shown = open ? [...list.data, open.delivery] : list.data;
  return (
    <PageBody width="wide">
      <CrumbName segment={endpointId} name={hostOf(endpoint.url)} />
      <RefreshWhileMoving
        isMoving={shown.some((delivery) => isUnderWay(delivery, now))}
        nextDueAt={nextTry(shown)}
      />
      <EndpointHeader
        scope={scope}
        endpoint={endpoint}
        projectName={project?.name ?? null}
        newest={newest.data[0]}
      />
      <div className={cn('grid items-start gap-6', open && 'lg:grid-cols-[minmax(0,1fr)_27rem]')}>
        <div className="flex min-w-0 flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <SegmentedLinks
                label="Deliveries to show"
                currentHref={viewHref({ state: query.state })}
                segments={[
                  { href: viewHref({ state: 'all' }), label: 'All' },
                  { href: viewHref({ state: 'failed' }), label: 'Failed' },
                  { href: viewHref({ state: 'delivered' }), label: 'Delivered' },
                ]}
              />
              <SegmentedLinks
                label="Since"
                currentHref={viewHref({ since: query.since })}
                segments={[
                  { href: viewHref({ since: undefined }), label: 'Any time' },
                  { href: viewHref({ since: '24h' }), label: '24 h' },
                  { href: viewHref({ since: '7d' }), label: '7 d' },
                ]}
              />
            </div>
            <NeedsRole refusal={refusal} label="Recover failed…" size="sm">
              <RecoverFailed
                organizationSlug={orgSlug}
                endpointId={endpoint.id}
                host={hostOf(endpoint.url)}
                isDisabled={endpoint.disabledAt !== null}
              />
            </NeedsRole>
          </div>
          <Card title="Deliveries" note="newest first" isFlush>
            {list.data.length > 0 ? (
              <DeliveryList base={base} query={query} deliveries={list.data} />
            ) : query.state === 'all' && !query.since ? (
              <EmptyState title="No deliveries yet.">
                The next chain that ends sends one. Send a test event to check the receiver now.
              </EmptyState>
            ) : (
              <NoMatch what="deliveries" clearHref={base} />
            )}
          </Card>
          <Pagination
            newerHref={query.cursor ? viewHref({}) : null}
            olderHref={list.nextCursor ? viewHref({ cursor: list.nextCursor }) : null}
          />
        </div>
        {open ? (
          <DeliveryFrame closeHref={deliveryHref(base, query, { delivery: undefined })}>
            <DeliveryDetail
              organizationSlug={orgSlug}
              delivery={open.delivery}
              url={endpoint.url}
              host={hostOf(endpoint.url)}
              chain={open.chain}
              replayRefusal={refusal ?? replayRefusal(open.delivery, endpoint.disabledAt !== null)}
              now={now}
            />
          </DeliveryFrame>
        ) : null}
      </div>
    </PageBody>
  );
}

function replayRefusal({ status }: DeliveryDto, isDisabled: boolean): string | null {
  if (['scheduled', 'sending', 'retrying'].includes(status)) {
    return 'It is still in progress. It can be replayed once it has ended.';
  }
  return isDisabled ? 'The endpoint is disabled. Enable it first.' : null;
}

function nextTry(deliveries: readonly DeliveryDto[]): string | null {
  const due = deliveries
    .filter((delivery) => delivery.status === 'retrying' && delivery.nextAttemptAt)
    .map((delivery) => delivery.nextAttemptAt ?? '');
  return due.sort()[0] ?? null;
}

/** The endpoint for the page and its title; the 404 page when it is not there. */
const loadEndpoint = cache(async (orgSlug: string, endpointId: string) => {
  const { scope } = await requireMember(orgSlug);
  return { scope, endpoint: await orNotFound(getEndpoint(scope, endpointId)) };
});

interface OpenDelivery {
  delivery: DeliveryDto;
  /** The chain it is about; null for a test event. */
  chain: { href: string; label: string } | null;
}

/** The delivery that the address opens; null when this endpoint has none of that id. */
async function loadDelivery(
  scope: TenantScope,
  endpointId: string,
  deliveryId: string | undefined,
): Promise<OpenDelivery | null> {
  if (!deliveryId) return null;
  const delivery = await orNull(getDelivery(scope, deliveryId));
  if (delivery?.endpointId !== endpointId) return null;
  const found = delivery.chainId ? await orNull(getChain(scope, delivery.chainId)) : null;
  if (!found) return { delivery, chain: null };
  const { project, number } = found;
  return {
    delivery,
    chain: {
      href: `/${scope.organizationSlug}/projects/${project.slug}/chains/${number}`,
      label: `${project.name} #${number}`,
    },
  };
}

async function orNull<Row>(row: Promise<Row>): Promise<Row | null> {
  try {
    return await row;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

interface DeliveryListProps {
  base: string;
  query: DeliveryQuery;
  deliveries: readonly DeliveryDto[];
}

/** Newest first. A row opens beside the list; the list stays where it is. */
function DeliveryList({ base, query, deliveries }: DeliveryListProps) {
  return (
    <ol aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <li
          key={delivery.id}
          className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2 text-ui first:border-t-0 hover:bg-hover has-aria-[current]:bg-hover md:min-h-row md:grid-cols-[11.5rem_minmax(0,1fr)_auto_6.5rem] md:py-1"
        >
          <span className="inline-flex">
            <StatusBadge
              kind="delivery"
              state={delivery.status}
              detail={deliveryDetail(delivery)}
            />
          </span>
          <Link
            href={deliveryHref(base, query, { delivery: delivery.id })}
            scroll={false}
            aria-current={delivery.id === query.delivery ? 'true' : undefined}
            className="min-w-0 truncate font-medium -outline-offset-2 after:absolute after:inset-0 after:content-[''] max-md:order-first"
          >
            <code className="text-code">{delivery.eventType}</code>
          </Link>
          <span className="text-right text-text-2 tabular-nums max-md:order-last">
            <Outcome delivery={delivery} />
          </span>
          <span className="text-right text-meta text-text-3 tabular-nums max-md:order-first">
            <Time at={delivery.createdAt} isPlain />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** While it waits for another try, when that is; otherwise what the last attempt came to. */
function Outcome({ delivery }: { delivery: DeliveryDto }) {
  if (delivery.status === 'retrying' && delivery.nextAttemptAt) {
    return <NextTry at={delivery.nextAttemptAt} />;
  }
  const last = delivery.log.at(-1);
  if (!last) return null;
  return (
    <>
      {attemptResult(last)} · {formatDuration(last.durationMs)}
    </>
  );
}
