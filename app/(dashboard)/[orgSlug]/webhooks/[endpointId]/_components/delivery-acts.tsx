'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton } from '@/app/_components/ui/spinner';
import { recoverDeliveries, replayDelivery } from '@/app/(dashboard)/[orgSlug]/webhooks/actions';
import { formatCount } from '@/lib/platform/format/count';
import { type Since, sinceTime } from './delivery-words';

interface ReplayDeliveryProps {
  organizationSlug: string;
  deliveryId: string;
  /** Why it cannot be replayed now; null when it can. */
  refusal: string | null;
}

export function ReplayDelivery({ organizationSlug, deliveryId, refusal }: ReplayDeliveryProps) {
  const router = useRouter();
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function replay() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await replayDelivery({ organizationSlug, deliveryId });
      setError(answer.ok ? null : answer.error.message);
      router.refresh();
    });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <PendingButton
        size="sm"
        disabled={refusal !== null}
        isPending={isPending}
        onClick={replay}
        icon={RotateCw}
      >
        Replay
      </PendingButton>
      <span className="text-meta text-text-3">
        {refusal ?? 'Sends the same message under the same id, with 8 new attempts.'}
      </span>
      {error ? (
        <p role="alert" className="w-full text-bad-fg text-ui">
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface RecoverFailedProps {
  organizationSlug: string;
  endpointId: string;
  host: string;
  isDisabled: boolean;
}

/** Sends again what the endpoint has missed since a time. */
export function RecoverFailed(props: RecoverFailedProps) {
  const { organizationSlug, endpointId, host, isDisabled } = props;
  const [since, setSince] = useState<Since>('24h');
  return (
    <ConfirmDialog
      trigger={
        <Button
          size="sm"
          disabled={isDisabled}
          title={isDisabled ? 'Enable the endpoint first.' : undefined}
          icon={RotateCw}
        >
          Recover failed…
        </Button>
      }
      title="Recover failed deliveries"
      look="primary"
      confirmLabel="Recover deliveries"
      effects={[
        `Every delivery that gave up, was refused or was canceled is sent to ${host} again.`,
        'Each keeps its webhook-id, so the receiver can detect duplicates, and gets 8 new attempts.',
      ]}
      onConfirm={async () => {
        const from = sinceTime(since, new Date()).toISOString();
        const answer = await recoverDeliveries({ organizationSlug, endpointId, since: from });
        if (!answer.ok) return answer;
        const { deliveries } = answer.data;
        toast.success(
          deliveries === 0
            ? 'There was nothing to recover.'
            : `${formatCount(deliveries)} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} sent again.`,
        );
        return answer;
      }}
    >
      <SegmentedChoice
        label="Created within"
        name="recover-since"
        value={since}
        onChange={setSince}
        choices={[
          { value: '1h', label: '1 h' },
          { value: '24h', label: '24 h' },
          { value: '7d', label: '7 d' },
          { value: '30d', label: '30 d' },
        ]}
      />
    </ConfirmDialog>
  );
}
