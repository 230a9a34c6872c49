'use client';

import { useState } from 'react';
import type { ActionResult } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';

interface RotateSecretProps {
  /** The action: rotates, and returns the new secret or what went wrong. */
  rotate: () => Promise<ActionResult<{ secret: string | null }>>;
  /** An older secret still signs, from a rotation before. */
  isRotating?: boolean;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks, rotates, and shows the new secret once. */
export function RotateSecret(props: RotateSecretProps) {
  const { rotate, isRotating, open, onOpenChange } = props;
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
          const answer = await rotate();
          if (answer.ok) setSecret(answer.data.secret);
          return answer;
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

interface SecretOnceProps {
  secret: string;
  /** The words of the button that leads on. */
  doneLabel: string;
  onDone: () => void;
}

/** A signing secret, the only time that it is shown, and what to do with it. */
export function SecretOnce({ secret, doneLabel, onDone }: SecretOnceProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-text-2">
        Copy the signing secret now. It can’t be shown again; if it is lost, rotate it.
      </p>
      <CodeBlock label="signing secret" value={secret}>
        {secret}
      </CodeBlock>
      <p className="text-text-2 text-ui">
        Events are signed by Standard Webhooks: verify <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and <code>webhook-signature</code> with any of its libraries.
      </p>
      <Button look="primary" onClick={onDone} className="self-end">
        {doneLabel}
      </Button>
    </div>
  );
}
