'use client';

import { useEffect, useRef } from 'react';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { renewRecoveryCodes } from '../actions';

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** The codes, the only time that they are shown. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1}>
      <Card title="Your recovery codes">
        <div className="flex flex-col gap-4">
          <p className="max-w-prose text-text-2">
            Store them now, apart from your device. They can’t be shown again. Each signs you in
            once when your device is lost.
          </p>
          <CodeBlock label="recovery codes" value={codes.join('\n')}>
            {codes.join('\n')}
          </CodeBlock>
          <Button look="primary" className="self-start" onClick={onDone}>
            I stored the codes
          </Button>
        </div>
      </Card>
    </div>
  );
}

/** Replaces the codes. */
export function RenewRecoveryCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const proof = useProof();

  async function renew() {
    const answer = await proof.run(() => renewRecoveryCodes({}));
    if (answer.ok) onCodes(answer.data.recoveryCodes);
    return answer;
  }

  return (
    <>
      <LazyConfirmDialog
        trigger={(open) => (
          <Button size="sm" aria-haspopup="dialog" onClick={open}>
            Create new codes
          </Button>
        )}
        title="Create new recovery codes"
        confirmLabel="Create new codes"
        look="primary"
        effects={['Your current codes stop working.', 'You get ten new ones, shown once.']}
        onConfirm={renew}
      />
      {proof.dialog}
    </>
  );
}
