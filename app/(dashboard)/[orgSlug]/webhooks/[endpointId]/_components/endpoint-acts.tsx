'use client';

import { CircleCheck, CirclePause, Ellipsis, KeyRound, Send, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { RotateSecret } from '@/app/_components/deliveries/rotate-secret';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/app/_components/ui/menu';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import { EndpointForm } from '@/app/(dashboard)/[orgSlug]/webhooks/_components/endpoint-form';
import {
  deleteEndpoint,
  rotateSecret,
  sendTestEvent,
  updateEndpoint,
} from '@/app/(dashboard)/[orgSlug]/webhooks/actions';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';

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
    <PendingButton
      look="primary"
      disabled={isDisabled}
      title={isDisabled ? 'Enable the endpoint first.' : undefined}
      isPending={isPending}
      onClick={send}
      icon={Send}
    >
      Send test event
    </PendingButton>
  );
}

interface EndpointMenuProps {
  organizationSlug: string;
  endpointId: string;
  host: string;
  isDisabled: boolean;
  isRotating: boolean;
}

export function EndpointMenu(props: EndpointMenuProps) {
  const { organizationSlug, endpointId, host, isDisabled, isRotating } = props;
  const router = useRouter();
  const { act, sayDone } = useAct();
  const [asking, setAsking] = useState<'rotate' | 'disable' | 'delete' | null>(null);
  const whileAsking = (what: typeof asking) => ({
    open: asking === what,
    onOpenChange: (isOpen: boolean) => setAsking(isOpen ? what : null),
  });

  const setEnabled = (isEnabled: boolean) =>
    updateEndpoint({ organizationSlug, endpointId, isEnabled });

  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More for this endpoint">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking('rotate')} icon={KeyRound}>
          Rotate secret…
        </MenuItem>
        {isDisabled ? (
          <MenuItem
            onSelect={() =>
              act(
                () => setEnabled(true),
                () => sayDone(`${host} receives events again.`),
              )
            }
            icon={CircleCheck}
          >
            Enable
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setAsking('disable')} icon={CirclePause}>
            Disable…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem look="danger" onSelect={() => setAsking('delete')} icon={Trash2}>
          Delete…
        </MenuItem>
      </Menu>
      <RotateSecret
        {...whileAsking('rotate')}
        rotate={() => rotateSecret({ organizationSlug, endpointId })}
        isRotating={isRotating}
      />
      <ConfirmDialog
        {...whileAsking('disable')}
        title={`Disable ${host}`}
        look="primary"
        confirmLabel="Disable endpoint"
        effects={[
          'No new events are sent to it.',
          'Pending retries are canceled. They can be replayed once it is enabled.',
        ]}
        onConfirm={() => setEnabled(false)}
      />
      <ConfirmDialog
        {...whileAsking('delete')}
        title={`Delete ${host}`}
        confirmLabel="Delete endpoint"
        effects={[
          'Its deliveries and their log are deleted, too, and pending deliveries aren’t retried.',
          'The signing secret stops working immediately.',
        ]}
        onConfirm={async () => {
          const answer = await deleteEndpoint({ organizationSlug, endpointId });
          return answer.ok ? router.push(`/${organizationSlug}/webhooks`) : answer;
        }}
      />
    </>
  );
}
