import Link from 'next/link';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import type { WorkDelivery } from '@/lib/insight/chains/schema';

interface DeliveryListProps {
  deliveries: readonly WorkDelivery[];
  orgSlug: string;
}

/** Webhook messages and notifications about this chain, and whether they arrived. */
export function DeliveryList({ deliveries, orgSlug }: DeliveryListProps) {
  return (
    <ol aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <li
          key={delivery.id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 text-ui first:border-t-0"
        >
          <StatusBadge kind="delivery" state={delivery.status} detail={detailOf(delivery)} />
          <code className="text-code">{delivery.eventType}</code>
          <Link href={hrefOf(delivery, orgSlug)} className="link min-w-0 truncate">
            {delivery.channel ?? hostOf(delivery.url ?? '')}
          </Link>
          <span className="ml-auto text-meta text-text-3">
            <Time at={delivery.createdAt} isPlain />
          </span>
        </li>
      ))}
    </ol>
  );
}

function detailOf({ status, attempts, nextAttemptAt }: WorkDelivery) {
  if (status === 'exhausted') return `after ${attempts} attempts`;
  return status === 'retrying' && nextAttemptAt ? <Time at={nextAttemptAt} isPlain /> : null;
}

function hrefOf({ id, endpointId }: WorkDelivery, orgSlug: string): string {
  return endpointId
    ? `/${orgSlug}/webhooks/${endpointId}?delivery=${id}`
    : `/${orgSlug}/settings/notifications`;
}

/** Without path and query, which may hold secrets. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'an endpoint that was removed';
}
