'use client';

import { BellOff } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { endIncidentSilence, silenceIncident } from '../actions';
import { NoteField } from './note-field';

const CHOICES = [
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
  { value: 'resolved', label: 'Until resolved' },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

interface SilenceIncidentProps {
  organizationSlug: string;
  incident: { id: string; number: number };
}

export function SilenceIncident({ organizationSlug, incident }: SilenceIncidentProps) {
  const router = useRouter();
  const [choice, setChoice] = useState<Choice>('60');
  const [note, setNote] = useState('');
  const incidentId = incident.id;
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button aria-haspopup="dialog" onClick={open}>
          <BellOff aria-hidden /> Silence
        </Button>
      )}
      title={`Silence Incident #${incident.number}`}
      look="primary"
      confirmLabel={`Silence Incident #${incident.number}`}
      effects={[
        'Only stops messages: until the silence ends, nobody is notified of this incident, and its escalation waits.',
        'Agents continue to work on it. If you work on it yourself, acknowledge it instead.',
        'If it still needs a human when the silence ends, people are notified once. You’re still notified when it is resolved.',
      ]}
      onConfirm={async () => {
        const minutes = choice === 'resolved' ? null : Number(choice);
        const answer = await silenceIncident({ organizationSlug, incidentId, note, minutes });
        if (!answer.ok) return answer.error.message;
        toast.success(`Incident #${incident.number} is silenced.`);
        router.refresh();
        return undefined;
      }}
    >
      <SegmentedChoice
        label="For how long"
        name="silence"
        choices={CHOICES}
        value={choice}
        onChange={setChoice}
      />
      <NoteField value={note} onChange={setNote} />
    </LazyConfirmDialog>
  );
}

export function EndIncidentSilence({ organizationSlug, incident }: SilenceIncidentProps) {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      disabled={isPending}
      onClick={() =>
        start(async () => {
          const answer = await endIncidentSilence({ organizationSlug, incidentId: incident.id });
          if (!answer.ok) toast.error(answer.error.message);
          router.refresh();
        })
      }
    >
      End silence
    </Button>
  );
}
