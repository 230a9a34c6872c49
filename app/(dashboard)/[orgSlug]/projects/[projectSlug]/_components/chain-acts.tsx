'use client';

import { CircleStop, Hand } from 'lucide-react';
import { useId, useState } from 'react';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
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
  const noteId = useId();
  const [note, setNote] = useState('');
  const [span, setSpan] = useState('');

  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look="primary" size={size} aria-haspopup="dialog" onClick={open} icon={Hand}>
          Acknowledge Chain #{chain.number}
        </Button>
      )}
      title={`Acknowledge Chain #${chain.number}`}
      look="primary"
      confirmLabel={`Acknowledge Chain #${chain.number}`}
      effects={[
        'Shows everyone that you are working on it, and acknowledges its incident, so nobody else is notified.',
        'Chains continue, but problems of these services don’t escalate, so no agent interferes with your repair.',
      ]}
      done={`Chain #${chain.number} is acknowledged.`}
      undo={() => endAcknowledgement({ organizationSlug, chainId: chain.id })}
      onConfirm={async () => {
        const minutes = asMinutes(span);
        if (minutes === undefined) return 'Enter a time, such as 30m, 4h or 2d, or none.';
        return acknowledgeChain({ organizationSlug, chainId: chain.id, note, minutes });
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
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look={look} aria-haspopup="dialog" onClick={open} icon={CircleStop}>
          Stop Chain #{chain.number}
        </Button>
      )}
      title={`Stop Chain #${chain.number}`}
      confirmLabel={`Stop Chain #${chain.number}`}
      effects={[
        'Stops the process and everything it started within 10 s.',
        `What it has cost is kept: ${formatCost(chain.costMicros)} is booked so far.`,
        'It doesn’t restart. The next scheduled chain starts as usual.',
      ]}
      onConfirm={() => stopChain({ organizationSlug, chainId: chain.id })}
    />
  );
}
