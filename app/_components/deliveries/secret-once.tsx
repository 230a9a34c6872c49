'use client';

import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';

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
