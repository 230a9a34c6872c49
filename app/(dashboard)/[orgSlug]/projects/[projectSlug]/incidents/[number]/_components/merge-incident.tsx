'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { Select } from '@/app/_components/ui/select';
import { mergeIncident } from '../actions';
import { NoteField } from './note-field';

interface MergeIncidentProps {
  organizationSlug: string;
  incident: { id: string; number: number };
  /** The others of the project that aren't resolved; at least one. */
  others: readonly { id: string; number: number; title: string }[];
}

export function MergeIncident({ organizationSlug, incident, others }: MergeIncidentProps) {
  const router = useRouter();
  const intoId = useId();
  const [into, setInto] = useState(others[0]?.id ?? '');
  const [note, setNote] = useState('');
  const chosen = others.find(({ id }) => id === into) ?? others[0];
  if (!chosen) return null;
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button aria-haspopup="dialog" onClick={open}>
          Merge
        </Button>
      )}
      title={`Merge Incident #${incident.number} into Incident #${chosen.number}`}
      look="primary"
      confirmLabel={`Merge into Incident #${chosen.number}`}
      effects={[
        `Incident #${chosen.number} takes over the services, alerts, chains and acknowledgement of this one, and what fails there later.`,
        `Incident #${incident.number} ends without a message, and its escalation ends. It can’t be undone.`,
        'Figures count the two as one outage, from the earlier first failure.',
      ]}
      onConfirm={async () => {
        const input = { organizationSlug, incidentId: incident.id, into: chosen.id, note };
        const answer = await mergeIncident(input);
        if (!answer.ok) return answer.error.message;
        toast.success(`Incident #${incident.number} was merged.`);
        router.refresh();
        return undefined;
      }}
    >
      <Field id={intoId} label="Into">
        {(control) => (
          <Select {...control} value={chosen.id} onChange={(event) => setInto(event.target.value)}>
            {others.map(({ id, number, title }) => (
              <option key={id} value={id}>
                Incident #{number}: {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <NoteField value={note} onChange={setNote} hint="Shown in both timelines." />
    </LazyConfirmDialog>
  );
}
