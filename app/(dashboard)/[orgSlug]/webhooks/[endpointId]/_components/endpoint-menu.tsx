'use client';

import { CircleCheck, CirclePause, Ellipsis, KeyRound, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/app/_components/ui/menu';
import { SecretOnce } from '../../_components/secret-once';
import { deleteEndpoint, rotateSecret, updateEndpoint } from '../../actions';

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
  const [asking, setAsking] = useState<'rotate' | 'disable' | 'delete' | null>(null);
  const whileAsking = (what: typeof asking) => ({
    open: asking === what,
    onOpenChange: (isOpen: boolean) => setAsking(isOpen ? what : null),
  });

  async function setEnabled(isEnabled: boolean): Promise<string | undefined> {
    const answer = await updateEndpoint({ organizationSlug, endpointId, isEnabled });
    router.refresh();
    return answer.ok ? undefined : answer.error.message;
  }

  async function enable() {
    const problem = await setEnabled(true);
    if (problem) toast.error(problem);
    else toast.success(`${host} receives events again.`);
  }

  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More for this endpoint">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking('rotate')}>
          <KeyRound aria-hidden /> Rotate secret…
        </MenuItem>
        {isDisabled ? (
          <MenuItem onSelect={enable}>
            <CircleCheck aria-hidden /> Enable
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setAsking('disable')}>
            <CirclePause aria-hidden /> Disable…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem look="danger" onSelect={() => setAsking('delete')}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </Menu>
      <RotateSecret
        {...whileAsking('rotate')}
        organizationSlug={organizationSlug}
        endpointId={endpointId}
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
          if (!answer.ok) return answer.error.message;
          router.push(`/${organizationSlug}/webhooks`);
          return undefined;
        }}
      />
    </>
  );
}

interface RotateSecretProps {
  organizationSlug: string;
  endpointId: string;
  /** An older secret still signs, from a rotation before. */
  isRotating: boolean;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks, rotates, and shows the new secret once. */
function RotateSecret(props: RotateSecretProps) {
  const { organizationSlug, endpointId, isRotating, open, onOpenChange } = props;
  const router = useRouter();
  const [secret, setSecret] = useState<string | null>(null);

  return (
    <>
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Rotate signing secret"
        look="primary"
        confirmLabel="Rotate secret"
        effects={[
          'The new secret is active immediately and shown only once.',
          'The current secret also signs for 24 hours, so you can switch the receiver in that time.',
          ...(isRotating ? ['The previous secret, which still signs, stops signing now.'] : []),
        ]}
        onConfirm={async () => {
          const answer = await rotateSecret({ organizationSlug, endpointId });
          if (!answer.ok) return answer.error.message;
          setSecret(answer.data.secret);
          router.refresh();
          return undefined;
        }}
      />
      <Dialog
        open={secret !== null}
        onOpenChange={() => setSecret(null)}
        title="New signing secret"
        description="Both secrets sign for 24 hours."
      >
        {secret ? (
          <SecretOnce secret={secret} doneLabel="Done" onDone={() => setSecret(null)} />
        ) : null}
      </Dialog>
    </>
  );
}
