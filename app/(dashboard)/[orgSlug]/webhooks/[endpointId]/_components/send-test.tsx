'use client';

import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { sendTestEvent } from '../../actions';

interface SendTestProps {
  organizationSlug: string;
  endpointId: string;
  isDisabled: boolean;
}

/** Sends `webhook.test` and opens its delivery, which shows what comes of it. */
export function SendTest({ organizationSlug, endpointId, isDisabled }: SendTestProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function send() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await sendTestEvent({ organizationSlug, endpointId });
      if (!answer.ok) {
        toast.error(answer.error.message);
        return;
      }
      const { deliveryId } = answer.data;
      router.push(`/${organizationSlug}/webhooks/${endpointId}?delivery=${deliveryId}`, {
        scroll: false,
      });
    });
  }

  return (
    <Button
      look="primary"
      disabled={isDisabled}
      title={isDisabled ? 'Enable the endpoint first.' : undefined}
      aria-disabled={isPending || undefined}
      onClick={send}
    >
      {isPending ? <Spinner /> : <Send aria-hidden />} Send test event
    </Button>
  );
}
