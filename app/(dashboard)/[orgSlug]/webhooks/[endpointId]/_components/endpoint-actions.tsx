'use client';

import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Spinner } from '@/app/_components/ui/spinner';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { EndpointForm } from '../../_components/endpoint-form';
import { sendTestEvent, updateEndpoint } from '../../actions';

interface EditEndpointProps {
  organizationSlug: string;
  endpoint: Pick<EndpointDto, 'id' | 'url' | 'description' | 'eventTypes' | 'projectId'>;
}

export function EditEndpoint({ organizationSlug, endpoint }: EditEndpointProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Edit endpoint"
      description="Pending deliveries go to the new URL from their next retry on."
      trigger={<Button>Edit</Button>}
    >
      <EndpointForm
        initial={endpoint}
        projects={null}
        submitLabel="Save endpoint"
        onSubmit={async ({ url, description, eventTypes }) => {
          const answer = await updateEndpoint({
            organizationSlug,
            endpointId: endpoint.id,
            url,
            description,
            eventTypes,
          });
          if (!answer.ok) return answer.error;
          setOpen(false);
          router.refresh();
          return null;
        }}
      />
    </Dialog>
  );
}

interface SendTestProps {
  organizationSlug: string;
  endpointId: string;
  isDisabled: boolean;
}

/** Sends `webhook.test` and opens its delivery, which shows the outcome. */
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
      router.push(`/${organizationSlug}/webhooks/${endpointId}?delivery=${answer.data.id}`, {
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
