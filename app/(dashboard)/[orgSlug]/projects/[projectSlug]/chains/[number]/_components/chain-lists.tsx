import { ArrowRight } from 'lucide-react';
import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import type { ChainDetail, WorkAttempt, WorkDelivery } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';

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

interface RecoveryListProps {
  sessions: readonly SessionItem[];
  attempts: readonly WorkAttempt[];
  root: string;
}

/** Which attempts started with the checkpoint of an earlier session. */
export function RecoveryList({ sessions, attempts, root }: RecoveryListProps) {
  const recovered = attempts.filter(({ recovery }) => recovery !== null);
  if (recovered.length === 0) return null;
  return (
    <ul aria-label="Recovered starts" className="mt-3 flex flex-col gap-1">
      {recovered.map(({ id, sessionId, number, recovery }) => {
        const session = sessions.find((each) => each.id === sessionId);
        if (!session || !recovery) return null;
        return (
          <li key={id}>
            <RecoveredMark
              attemptLabel={`Session #${session.number}.${number}`}
              recovery={recovery}
              root={root}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** What the runner's own checks said first and last; once where they said the same. */
export function ServiceChanges({ services }: { services: ChainDetail['services'] }) {
  return (
    <Card title="Services" note="first check, last check">
      {services.length === 0 ? (
        <p className="text-text-2 text-ui">No check of this chain has answered yet.</p>
      ) : (
        <ul className="flex flex-col">
          {services.map((service) => (
            <li
              key={service.name}
              className="flex flex-col gap-0.5 border-line border-t py-2 first:border-t-0 first:pt-0 last:pb-0"
            >
              <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span className="min-w-0 break-words font-medium">{service.name}</span>
                <span className="flex flex-wrap items-center gap-1.5">
                  {service.statusBefore === service.status ? null : (
                    <>
                      <StatusBadge kind="service" state={service.statusBefore} />
                      <ArrowRight aria-label="then" className="size-3.5 text-text-3" />
                    </>
                  )}
                  <StatusBadge kind="service" state={service.status} />
                </span>
              </span>
              {service.error ? (
                <span className="break-words text-meta text-text-2">{service.error}</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
