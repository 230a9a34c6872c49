'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { SecretOnce } from '../../_components/secret-once';
import { rotateSecret } from '../../actions';

interface RotateSecretProps {
  organizationSlug: string;
  endpointId: string;
  /** An older secret still signs, from a rotation before. */
  isRotating: boolean;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks, rotates, and shows the new secret once. */
export function RotateSecret(props: RotateSecretProps) {
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
          'A new secret signs at once and is shown once.',
          'The present one signs beside it for 24 hours, so the receiver can change over in that time.',
          ...(isRotating ? ['The one before it, which still signs, stops signing now.'] : []),
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
