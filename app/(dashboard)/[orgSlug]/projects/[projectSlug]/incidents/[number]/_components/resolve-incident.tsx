'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { resolveIncident } from '../actions';
import { NoteField } from './note-field';

interface ResolveIncidentProps {
  organizationSlug: string;
  incident: { id: string; number: number };
}

export function ResolveIncident({ organizationSlug, incident }: ResolveIncidentProps) {
  const router = useRouter();
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
      <NoteField value={note} onChange={setNote} />
    </LazyConfirmDialog>
  );
}
