'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { formatCount } from '@/lib/platform/format/count';
import { recoverDeliveries } from '../../actions';
import { type Since, sinceTime } from './delivery-words';

interface RecoverFailedProps {
  organizationSlug: string;
  endpointId: string;
  host: string;
  isDisabled: boolean;
}

/** Sends again what the endpoint has missed since a time. */
export function RecoverFailed(props: RecoverFailedProps) {
  const { organizationSlug, endpointId, host, isDisabled } = props;
  const router = useRouter();
  const [since, setSince] = useState<Since>('24h');
  return (
    <ConfirmDialog
      trigger={
        <Button
          size="sm"
          disabled={isDisabled}
          title={isDisabled ? 'Enable the endpoint first.' : undefined}
        >
          <RotateCw aria-hidden /> Recover failed…
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
        if (!answer.ok) return answer.error.message;
        const { deliveries } = answer.data;
        toast.success(
          deliveries === 0
            ? 'There was nothing to recover.'
            : `${formatCount(deliveries)} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} sent again.`,
        );
        router.refresh();
        return undefined;
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
