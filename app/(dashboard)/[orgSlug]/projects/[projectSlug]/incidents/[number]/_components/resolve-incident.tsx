'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { resolveIncident } from '../actions';

interface ResolveIncidentProps {
  organizationSlug: string;
  incident: { id: string; number: number };
}

export function ResolveIncident({ organizationSlug, incident }: ResolveIncidentProps) {
  const router = useRouter();
  const noteId = useId();
  const [note, setNote] = useState('');
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button aria-haspopup="dialog" onClick={open}>
          Resolve
        </Button>
      )}
      title={`Resolve Incident #${incident.number}`}
      look="primary"
      confirmLabel={`Resolve Incident #${incident.number}`}
      effects={[
        'Ends it now, whatever its checks find.',
        'Services that still fail open an incident again only once they have recovered and then fail again.',
        'Chains that run continue.',
      ]}
      onConfirm={async () => {
        const answer = await resolveIncident({ organizationSlug, incidentId: incident.id, note });
        if (!answer.ok) return answer.error.message;
        toast.success(`Incident #${incident.number} is resolved.`);
        router.refresh();
        return undefined;
      }}
    >
      <Field id={noteId} label="Note" isOptional hint="Shown in the timeline.">
        {(control) => (
          <Input
            {...control}
            maxLength={300}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </LazyConfirmDialog>
  );
}
