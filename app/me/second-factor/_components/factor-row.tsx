'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import type { ActionResult } from '@/app/_actions/result';
import { useProof } from '@/app/_components/proof/use-proof';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';

interface FactorRowProps {
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
  /** Why it can't be removed; null: it can. */
  refusal: string | null;
  /** No other second factor is left after it. */
  isLast: boolean;
  onRemove: () => Promise<ActionResult<void>>;
}

export function FactorRow({ name, addedAt, lastUsedAt, ...rest }: FactorRowProps) {
  const { refusal, isLast, onRemove } = rest;
  const router = useRouter();
  const proof = useProof();
  const [isRemoved, setRemoved] = useState(false);

  async function remove(): Promise<string | undefined> {
    const answer = await proof.run(onRemove);
    if (!answer.ok) return answer.error.message;
    setRemoved(true);
    toast.success(`${name} removed.`);
    router.refresh();
    return undefined;
  }

  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-words font-medium">{name}</span>
        <span className="text-text-2 text-ui">
          Added <Time at={addedAt} form="day" isPlain />
          {lastUsedAt ? (
            <>
              , last used <Time at={lastUsedAt} isPlain />
            </>
          ) : (
            ', never used'
          )}
        </span>
      </span>
      {refusal ? <span className="text-meta text-text-3">{refusal}</span> : null}
      <LazyConfirmDialog
        trigger={(open) => (
          <Button
            size="sm"
            disabled={refusal !== null || isRemoved}
            aria-label={`Remove ${name}`}
            aria-haspopup="dialog"
            onClick={open}
          >
            Remove
          </Button>
        )}
        title={`Remove ${name}`}
        confirmLabel="Remove"
        effects={
          isLast
            ? [
                'Your account has no second factor then: a password or a provider alone signs you in.',
                'Your recovery codes stop working.',
              ]
            : ['It can no longer be used to sign in. Your other second factors stay.']
        }
        onConfirm={remove}
      />
      {proof.dialog}
    </li>
  );
}
