'use client';

import { Hand } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { asMinutes, OptionalEnd } from '../../../../../_components/optional-end';
import { acknowledgeIncident, endIncidentAcknowledgement } from '../actions';
import { NoteField } from './note-field';

interface AcknowledgeIncidentProps {
  organizationSlug: string;
  incident: { id: string; number: number };
}

export function AcknowledgeIncident({ organizationSlug, incident }: AcknowledgeIncidentProps) {
  const router = useRouter();
  const [note, setNote] = useState('');
  const [span, setSpan] = useState('');
  const incidentId = incident.id;

  async function undo() {
    const answer = await endIncidentAcknowledgement({ organizationSlug, incidentId });
    if (!answer.ok) toast.error(answer.error.message);
    router.refresh();
  }

  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look="primary" aria-haspopup="dialog" onClick={open}>
          <Hand aria-hidden /> Acknowledge
        </Button>
      )}
      title={`Acknowledge Incident #${incident.number}`}
      look="primary"
      confirmLabel={`Acknowledge Incident #${incident.number}`}
      effects={[
        'Shows everyone that you are working on it.',
        'Until the acknowledgement ends, nobody else is notified that it needs a human, and no agent works on its services.',
      ]}
      onConfirm={async () => {
        const minutes = asMinutes(span);
        if (minutes === undefined) return 'Enter a time, such as 30m, 4h or 2d, or none.';
        const input = { organizationSlug, incidentId, note, minutes };
        const answer = await acknowledgeIncident(input);
        if (!answer.ok) return answer.error.message;
        toast.success(`Incident #${incident.number} is acknowledged.`, {
          duration: 30_000,
          action: { label: 'Undo', onClick: () => void undo() },
        });
        router.refresh();
        return undefined;
      }}
    >
      <OptionalEnd value={span} onChange={setSpan} otherwise="until it is resolved" />
      <NoteField value={note} onChange={setNote} />
    </LazyConfirmDialog>
  );
}

/** At once: it only takes back what was said. */
export function EndIncidentAcknowledgement({
  organizationSlug,
  incident,
}: AcknowledgeIncidentProps) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      disabled={isPending}
      onClick={() =>
        start(async () => {
          const input = { organizationSlug, incidentId: incident.id };
          const answer = await endIncidentAcknowledgement(input);
          if (!answer.ok) toast.error(answer.error.message);
          router.refresh();
        })
      }
    >
      Remove acknowledgement
    </Button>
  );
}
