'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { EndpointForm } from '../../_components/endpoint-form';
import { updateEndpoint } from '../../actions';

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
      description="Deliveries that are under way go to the new URL from their next try on."
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
