'use client';

import { useId, useState } from 'react';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { asMinutes, OptionalEnd } from './optional-end';
import { effectOf, type Pausable, pauseIt, resumeIt } from './pause-target';

export interface PauseTarget {
  organizationSlug: string;
  what: Pausable;
  name: string;
  /** The chain that continues during the pause. */
  liveChain: { id: string; number: number } | null;
}

interface PauseDialogProps extends PauseTarget {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Says what keeps running, takes reason and end for the audit log, and can be undone for a while. */
export function PauseDialog({ open, onOpenChange, ...target }: PauseDialogProps) {
  const { organizationSlug, what, name, liveChain } = target;
  const reasonId = useId();
  const [reason, setReason] = useState('');
  const [span, setSpan] = useState('');
  const [isStopping, setStopping] = useState(false);

  async function confirm() {
    const minutes = asMinutes(span);
    if (minutes === undefined) return 'Enter a time, such as 30m, 4h or 2d, or none.';
    const stopChainId = isStopping ? (liveChain?.id ?? null) : null;
    const answer = await pauseIt(organizationSlug, what, { reason, minutes, stopChainId });
    if (answer.ok) {
      setReason('');
      setSpan('');
    }
    return answer;
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Pause ${name}`}
      look="primary"
      confirmLabel={`Pause ${name}`}
      effects={[effectOf(what, name), goesOn(what, liveChain)]}
      done={`${name} is paused.`}
      undo={() => resumeIt(organizationSlug, what)}
      onConfirm={confirm}
    >
      <OptionalEnd value={span} onChange={setSpan} otherwise="until someone resumes it" />
      <Field id={reasonId} label="Reason" isOptional hint="Shown in the banner and the audit log.">
        <Input maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {liveChain && what.kind === 'project' ? (
        <CheckboxField
          label={`Also stop #${liveChain.number}`}
          hint="Its process and everything that it started end within 10 s."
          checked={isStopping}
          onChange={(event) => setStopping(event.target.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}

function goesOn(what: Pausable, liveChain: PauseTarget['liveChain']): string {
  if (what.kind === 'runner') return 'Running attempts continue to their end.';
  if (what.kind === 'tier') return 'A running session continues to its end.';
  return liveChain
    ? `Chain #${liveChain.number} continues, but starts no higher tier.`
    : 'Chains that were due during the pause are not run afterwards.';
}
