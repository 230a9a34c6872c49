import { NextTry } from '@/app/_components/deliveries/next-try';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Link } from '@/app/_components/ui/link';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { formatDuration } from '@/lib/platform/format/duration';
import { attemptResult, type DeliveryQuery, deliveryDetail, deliveryHref } from './delivery-words';

interface DeliveryListProps {
  base: string;
  query: DeliveryQuery;
  deliveries: readonly DeliveryDto[];
}

/** Newest first. A row opens beside the list; the list stays where it is. */
export function DeliveryList({ base, query, deliveries }: DeliveryListProps) {
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
