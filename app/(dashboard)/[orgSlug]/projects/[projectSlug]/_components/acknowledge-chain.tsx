'use client';

import { Hand } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { acknowledgeChain } from '../actions';

interface AcknowledgeChainProps {
  organizationSlug: string;
  chain: { id: string; number: number };
}

export function AcknowledgeChain({ organizationSlug, chain }: AcknowledgeChainProps) {
  const router = useRouter();
  const noteId = useId();
  const [note, setNote] = useState('');
  return (
    <ConfirmDialog
      trigger={
        <Button look="primary">
          <Hand aria-hidden /> Acknowledge #{chain.number}
        </Button>
      }
      title={`Acknowledge chain #${chain.number}`}
      look="primary"
      confirmLabel={`Acknowledge #${chain.number}`}
      effects={[
        'Says that you have taken it in hand; others see your name.',
        'It changes nothing on the services, and the schedule goes on.',
      ]}
      onConfirm={async () => {
        const answer = await acknowledgeChain({ organizationSlug, chainId: chain.id, note });
        if (!answer.ok) return answer.error.message;
        toast.success(`Chain #${chain.number} is acknowledged.`);
        router.refresh();
        return undefined;
      }}
    >
      <Field id={noteId} label="Note" isOptional hint="Kept in the audit log.">
        {(control) => (
          <Input
            {...control}
            maxLength={300}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
