'use client';

import { CircleStop, Hand } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { Field, Input } from '@/app/_components/ui/field';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { asMinutes, OptionalEnd } from '@/app/(dashboard)/[orgSlug]/_components/optional-end';
import { formatCost } from '@/lib/platform/format/cost';
import { acknowledgeChain, endAcknowledgement, stopChain } from '../actions';

interface AcknowledgeChainProps {
  organizationSlug: string;
  chain: { id: string; number: number };
  size?: ButtonProps['size'];
}

export function AcknowledgeChain({ organizationSlug, chain, size }: AcknowledgeChainProps) {
  const router = useRouter();
  const noteId = useId();
  const [note, setNote] = useState('');
  const [span, setSpan] = useState('');

  async function undo() {
    const answer = await endAcknowledgement({ organizationSlug, chainId: chain.id });
    if (!answer.ok) toast.error(answer.error.message);
    router.refresh();
  }

  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look="primary" size={size} aria-haspopup="dialog" onClick={open}>
          <Hand aria-hidden /> Acknowledge Chain #{chain.number}
        </Button>
      )}
      title={`Acknowledge Chain #${chain.number}`}
      look="primary"
      confirmLabel={`Acknowledge Chain #${chain.number}`}
      effects={[
        'Shows everyone that you are working on it, and acknowledges its incident, so nobody else is notified.',
        'Chains continue, but problems of these services don’t escalate, so no agent interferes with your repair.',
      ]}
      onConfirm={async () => {
        const minutes = asMinutes(span);
        if (minutes === undefined) return 'Enter a time, such as 30m, 4h or 2d, or none.';
        const answer = await acknowledgeChain({
          organizationSlug,
          chainId: chain.id,
          note,
          minutes,
        });
        if (!answer.ok) return answer.error.message;
        toast.success(`Chain #${chain.number} is acknowledged.`, {
          duration: 30_000,
          action: { label: 'Undo', onClick: () => void undo() },
        });
        router.refresh();
        return undefined;
      }}
    >
      <OptionalEnd
        value={span}
        onChange={setSpan}
        otherwise="until its services have recovered and its incident is resolved"
      />
      <Field id={noteId} label="Note" isOptional hint="Kept in the audit log.">
        <Input maxLength={300} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </LazyConfirmDialog>
  );
}

interface StopChainProps {
  organizationSlug: string;
  look?: ButtonProps['look'];
  chain: { id: string; number: number; costMicros: number };
}

export function StopChain({ organizationSlug, look = 'primary', chain }: StopChainProps) {
  const router = useRouter();
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look={look} aria-haspopup="dialog" onClick={open}>
          <CircleStop aria-hidden /> Stop Chain #{chain.number}
        </Button>
      )}
      title={`Stop Chain #${chain.number}`}
      confirmLabel={`Stop Chain #${chain.number}`}
      effects={[
        'Stops the process and everything it started within 10 s.',
        `What it has cost is kept: ${formatCost(chain.costMicros)} is booked so far.`,
        'It doesn’t restart. The next scheduled chain starts as usual.',
      ]}
      onConfirm={async () => {
        const answer = await stopChain({ organizationSlug, chainId: chain.id });
        router.refresh();
        return answer.ok ? undefined : answer.error.message;
      }}
    />
  );
}
