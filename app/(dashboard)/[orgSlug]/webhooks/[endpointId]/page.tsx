import type { Metadata } from 'next';
import { PageBody } from '@/app/_components/shell/page-body';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { NoMatch } from '@/app/_components/ui/no-match';
import { Pagination } from '@/app/_components/ui/pagination';
import { SegmentedLinks } from '@/app/_components/ui/segmented';
import { encodeId } from '@/lib/ids';
import type { DeliveryDto } from '@/lib/webhooks/deliveries/schema';
import { listDeliveries } from '@/lib/webhooks/service/manage-deliveries';
import { loadOverview } from '../../_components/load-overview';
import { refusalOf } from '../../_components/permission';
import { hostOf } from '../_components/endpoint-state';
import { DeliveryDetail } from './_components/delivery-detail';
import { DeliveryFrame } from './_components/delivery-frame';
import { DeliveryList } from './_components/delivery-list';
import { deliveryHref, parseDeliveryQuery, STATUSES_OF } from './_components/delivery-view';
import { isUnderWay } from './_components/delivery-words';
import { EndpointHeader } from './_components/endpoint-header';
import { loadDelivery } from './_components/load-delivery';
import { loadEndpoint } from './_components/load-endpoint';
import { RefreshWhileMoving } from './_components/refresh-while-moving';

const PAGE_SIZE = 25;

interface EndpointPageProps {
  params: Promise<{ orgSlug: string; endpointId: string }>;
  searchParams: Promise<Record<string, unknown>>;
}

export async function generateMetadata({ params }: EndpointPageProps): Promise<Metadata> {
  const { orgSlug, endpointId } = await params;
  const { endpoint } = await loadEndpoint(orgSlug, endpointId);
  return { title: `${hostOf(endpoint.url)} · Webhooks` };
}

export default async function EndpointPage({ params, searchParams }: EndpointPageProps) {
  const { orgSlug, endpointId } = await params;
  const query = parseDeliveryQuery(await searchParams);
  const { scope, endpoint } = await loadEndpoint(orgSlug, endpointId);
  const [{ overview }, list, newest, open, refusal] = await Promise.all([
    loadOverview(orgSlug),
    listDeliveries(scope, {
      limit: PAGE_SIZE,
      cursor: query.cursor,
      endpoint: endpoint.id,
      status: STATUSES_OF[query.state],
    }),
    listDeliveries(scope, { limit: 1, endpoint: endpoint.id }),
    loadDelivery(scope, endpoint.id, query.delivery),
    refusalOf(scope, 'admin'),
  ]);
  const now = new Date();
  const base = `/${orgSlug}/webhooks/${endpoint.id}`;
  const project = overview.projects.find(({ id }) => encodeId('prj', id) === endpoint.projectId);
  const shown = open ? [...list.data, open.delivery] : list.data;
  return (
    <PageBody width="wide">
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
          <SegmentedLinks
            label="Deliveries to show"
            currentHref={deliveryHref(base, { state: query.state }, {})}
            segments={[
              { href: base, label: 'All' },
              { href: deliveryHref(base, { state: 'failed' }, {}), label: 'Failed' },
              { href: deliveryHref(base, { state: 'delivered' }, {}), label: 'Delivered' },
            ]}
          />
          <Card title="Deliveries" note="newest first" isFlush>
            {list.data.length > 0 ? (
              <DeliveryList base={base} query={query} deliveries={list.data} />
            ) : query.state === 'all' ? (
              <EmptyState title="No deliveries yet.">
                The next chain that ends sends one. A test event shows at once whether the receiver
                takes it.
              </EmptyState>
            ) : (
              <NoMatch what="deliveries" clearHref={base} />
            )}
          </Card>
          <Pagination
            newerHref={query.cursor ? deliveryHref(base, { state: query.state }, {}) : null}
            olderHref={
              list.nextCursor
                ? deliveryHref(base, { state: query.state }, { cursor: list.nextCursor })
                : null
            }
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
    return 'It is still under way. It can be replayed once it has ended.';
  }
  return isDisabled ? 'The endpoint is disabled. Enable it first.' : null;
}

function nextTry(deliveries: readonly DeliveryDto[]): string | null {
  const due = deliveries
    .filter((delivery) => delivery.status === 'retrying' && delivery.nextAttemptAt)
    .map((delivery) => delivery.nextAttemptAt ?? '');
  return due.sort()[0] ?? null;
}
