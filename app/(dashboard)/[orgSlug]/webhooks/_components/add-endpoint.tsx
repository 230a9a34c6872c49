'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { SecretOnce } from '@/app/_components/deliveries/rotate-secret';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { WebhookEventType } from '@/lib/deliveries/schema';
import type { ProjectChoice } from '../../_components/project-select';
import { createEndpoint } from '../actions';
import { EndpointForm } from './endpoint-form';

interface AddEndpointProps {
  organizationSlug: string;
  projects: readonly ProjectChoice[];
  /** The project that is chosen at first; every project if absent. */
  projectId?: string;
}

/** From the URL to the secret, which the same dialog shows once. */
export function AddEndpoint(props: AddEndpointProps) {
  const { organizationSlug, projects, projectId = null } = props;
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setMade(null);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={changeOpen}
      title={made ? 'Endpoint added' : 'Add webhook endpoint'}
      description={made ? undefined : 'Tierwatch posts signed events to it and tries 8 times.'}
      trigger={
        <Button look="primary" icon={Plus}>
          Add endpoint
        </Button>
      }
    >
      {made ? (
        <SecretOnce
          secret={made.secret}
          doneLabel="Open the endpoint"
          onDone={() => router.push(`/${organizationSlug}/webhooks/${made.id}`)}
        />
      ) : (
        <EndpointForm
          initial={{ url: '', description: '', eventTypes: defaultTypes(projectId), projectId }}
          projects={projects}
          submitLabel="Add endpoint"
          onSubmit={async (draft) => {
            const answer = await createEndpoint({ organizationSlug, ...draft });
            if (!answer.ok) return answer.error;
            setMade(answer.data);
            router.refresh();
            return null;
          }}
        />
      )}
    </Dialog>
  );
}

/** Whoever adds one for a project mostly wants to be called, too. */
function defaultTypes(projectId: string | null): WebhookEventType[] {
  return projectId === null ? ['chain.completed'] : ['chain.completed', 'chain.needs_human'];
}
