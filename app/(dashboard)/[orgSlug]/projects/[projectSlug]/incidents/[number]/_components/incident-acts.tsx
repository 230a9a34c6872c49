'use client';

import { BellOff, Hand } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { ActionResult } from '@/app/_actions/result';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { useAct } from '@/app/_components/ui/use-act';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { IncidentDetail } from '@/lib/incidents/view';
import { asMinutes, OptionalEnd } from '../../../../../_components/optional-end';
import {
  acknowledgeIncident,
  endIncidentAcknowledgement,
  endIncidentSilence,
  mergeIncident,
  resolveIncident,
  silenceIncident,
} from '../actions';

interface ActProps {
  organizationSlug: string;
  incident: Pick<IncidentDetail, 'id' | 'number'>;
}

export interface IncidentActsProps extends ActProps {
  incident: Pick<IncidentDetail, 'id' | 'number' | 'state' | 'acknowledgedBy' | 'silencedBy'>;
  refusal: Refusal;
  /** The others of the project that aren't resolved. */
  others: MergeIncidentProps['others'];
}

/** Acknowledge what nobody is working on, silence or merge it, or say that it is over. */
export function IncidentActs({ refusal, others, ...props }: IncidentActsProps) {
  const { acknowledgedBy, silencedBy } = props.incident;
  return (
    <>
      {others.length > 0 ? <MergeIncident {...props} others={others} /> : null}
      {refusal === null && silencedBy === null ? <SilenceIncident {...props} /> : null}
      {refusal === null && silencedBy !== null ? (
        <TakeBack {...props} act={endIncidentSilence}>
          End silence
        </TakeBack>
      ) : null}
      <NeedsRole refusal={refusal} label="Resolve">
        <ResolveIncident {...props} />
      </NeedsRole>
      {acknowledgedBy === null ? (
        <NeedsRole refusal={refusal} label="Acknowledge">
          <AcknowledgeIncident {...props} />
        </NeedsRole>
      ) : (
        <NeedsRole refusal={refusal} label="Remove acknowledgement">
          <TakeBack {...props} act={endIncidentAcknowledgement}>
            Remove acknowledgement
          </TakeBack>
        </NeedsRole>
      )}
    </>
  );
}

/** Names an incident to a server action. */
interface Named {
  organizationSlug: string;
  incidentId: string;
}

interface ActDialogProps extends ActProps {
  label: ReactNode;
  look?: ButtonProps['look'];
  title: string;
  confirmLabel?: string;
  effects: string[];
  /** Who reads the note, as a sentence. */
  noteHint?: string;
  /** What to do; text if it can't be done as entered. */
  act(input: Named & { note: string }): Promise<ActionResult<unknown>> | string;
  /** What has happened to the incident: `is resolved`. */
  past: string;
  undo?: (input: Named) => Promise<ActionResult<unknown>>;
  children?: ReactNode;
}

/** A button that asks for a note and does something with an incident. */
function ActDialog({ organizationSlug, incident, label, look, title, ...props }: ActDialogProps) {
  const { act, past, undo, noteHint = 'Shown in the timeline.', children } = props;
  const noteId = useId();
  const [note, setNote] = useState('');
  const named = { organizationSlug, incidentId: incident.id };

  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look={look} aria-haspopup="dialog" onClick={open}>
          {label}
        </Button>
      )}
      title={title}
      look="primary"
      confirmLabel={props.confirmLabel ?? title}
      effects={props.effects}
      done={`Incident #${incident.number} ${past}.`}
      undo={undo && (() => undo(named))}
      onConfirm={async () => act({ ...named, note })}
    >
      {children}
      <Field id={noteId} label="Note" isOptional hint={noteHint}>
        <Input maxLength={300} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </LazyConfirmDialog>
  );
}

interface TakeBackProps extends ActProps {
  act(input: Named): Promise<ActionResult<unknown>>;
  children: string;
}

/** At once: it only takes back what was said. */
function TakeBack({ organizationSlug, incident, act, children }: TakeBackProps) {
  const { act: run, isPending } = useAct();
  return (
    <Button
      disabled={isPending}
      onClick={() => run(() => act({ organizationSlug, incidentId: incident.id }))}
    >
      {children}
    </Button>
  );
}

function AcknowledgeIncident(props: ActProps) {
  const [span, setSpan] = useState('');
  return (
    <ActDialog
      {...props}
      label={
        <>
          <Hand aria-hidden /> Acknowledge
        </>
      }
      look="primary"
      title={`Acknowledge Incident #${props.incident.number}`}
      effects={[
        'Shows everyone that you are working on it.',
        'Until the acknowledgement ends, nobody else is notified that it needs a human, and no agent works on its services.',
      ]}
      act={(input) => {
        const minutes = asMinutes(span);
        if (minutes === undefined) return 'Enter a time, such as 30m, 4h or 2d, or none.';
        return acknowledgeIncident({ ...input, minutes });
      }}
      past="is acknowledged"
      undo={endIncidentAcknowledgement}
    >
      <OptionalEnd value={span} onChange={setSpan} otherwise="until it is resolved" />
    </ActDialog>
  );
}

const SILENCES = [
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
  { value: 'resolved', label: 'Until resolved' },
] as const;

function SilenceIncident(props: ActProps) {
  const [span, setSpan] = useState<(typeof SILENCES)[number]['value']>('60');
  return (
    <ActDialog
      {...props}
      label={
        <>
          <BellOff aria-hidden /> Silence
        </>
      }
      title={`Silence Incident #${props.incident.number}`}
      effects={[
        'Only stops messages: until the silence ends, nobody is notified of this incident, and its escalation waits.',
        'Agents continue to work on it. If you work on it yourself, acknowledge it instead.',
        'If it still needs a human when the silence ends, people are notified once. You’re still notified when it is resolved.',
      ]}
      act={(input) =>
        silenceIncident({ ...input, minutes: span === 'resolved' ? null : Number(span) })
      }
      past="is silenced"
    >
      <SegmentedChoice
        label="For how long"
        name="silence"
        choices={SILENCES}
        value={span}
        onChange={setSpan}
      />
    </ActDialog>
  );
}

function ResolveIncident(props: ActProps) {
  return (
    <ActDialog
      {...props}
      label="Resolve"
      title={`Resolve Incident #${props.incident.number}`}
      effects={[
        'Ends it now, whatever its checks find.',
        'Services that still fail open an incident again only once they have recovered and then fail again.',
        'Chains that run continue.',
      ]}
      act={resolveIncident}
      past="is resolved"
    />
  );
}

interface MergeIncidentProps extends ActProps {
  others: readonly { id: string; number: number; title: string }[];
}

function MergeIncident({ others, ...props }: MergeIncidentProps) {
  const intoId = useId();
  const [into, setInto] = useState(others[0]?.id ?? '');
  const chosen = others.find(({ id }) => id === into) ?? others[0];
  if (!chosen) return null;
  const { number } = props.incident;
  return (
    <ActDialog
      {...props}
      label="Merge"
      title={`Merge Incident #${number} into Incident #${chosen.number}`}
      confirmLabel={`Merge into Incident #${chosen.number}`}
      effects={[
        `Incident #${chosen.number} takes over the services, alerts, chains and acknowledgement of this one, and what fails there later.`,
        `Incident #${number} ends without a message, and its escalation ends. It can’t be undone.`,
        'Figures count the two as one outage, from the earlier first failure.',
      ]}
      noteHint="Shown in both timelines."
      act={(input) => mergeIncident({ ...input, into: chosen.id })}
      past="was merged"
    >
      <Field id={intoId} label="Into">
        <Select value={chosen.id} onChange={(event) => setInto(event.target.value)}>
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              Incident #{other.number}: {other.title}
            </option>
          ))}
        </Select>
      </Field>
    </ActDialog>
  );
}
