import Link from 'next/link';
import { NextTry } from '@/app/_components/deliveries/next-try';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { CopyId } from '@/app/_components/ui/copy-id';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { AttemptList } from './attempt-list';
import { deliveryDetail, deliverySentence } from './delivery-words';
import { ReplayDelivery } from './replay-delivery';
import { RequestView } from './request-view';

interface DeliveryDetailProps {
  organizationSlug: string;
  delivery: DeliveryDto;
  url: string;
  host: string;
  /** The chain it is about, where there is one. */
  chain: { href: string; label: string } | null;
  /** Why it cannot be replayed now. */
  replayRefusal: string | null;
  now: Date;
}

export function DeliveryDetail(props: DeliveryDetailProps) {
  const { organizationSlug, delivery, url, host, chain, replayRefusal, now } = props;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-start gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <StatusBadge kind="delivery" state={delivery.status} detail={deliveryDetail(delivery)} />
          <code className="text-code">{delivery.eventType}</code>
        </div>
        {/* Told to screen readers when it changes, since it does so by itself. */}
        <p role="status" className="break-words">
          {deliverySentence(delivery, host, now)}
          {delivery.status === 'retrying' && delivery.nextAttemptAt ? (
            <span className="text-text-2">
              {' '}
              (<NextTry at={delivery.nextAttemptAt} />)
            </span>
          ) : null}
        </p>
        <ReplayDelivery
          key={delivery.id}
          organizationSlug={organizationSlug}
          deliveryId={delivery.id}
          refusal={replayRefusal}
        />
      </div>
      <DefinitionList
        items={[
          { term: 'Id', value: <CopyId id={delivery.id} label="delivery id" /> },
          {
            term: 'About',
            value: chain ? (
              <Link href={chain.href} className="link">
                {chain.label}
              </Link>
            ) : (
              'A test event'
            ),
          },
          { term: 'Made', value: <Time at={delivery.createdAt} form="day" /> },
        ]}
      />
      <AttemptList attempts={delivery.log} />
      <RequestView delivery={delivery} url={url} />
    </div>
  );
}
