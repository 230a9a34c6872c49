'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { pauseOrganization, pauseProject, resumeOrganization, resumeProject } from '../actions';

export interface PauseTarget {
  organizationSlug: string;
  /** Slug; null pauses the organization. */
  project: string | null;
  name: string;
  /** The chain that goes on meanwhile. */
  liveChain: { id: string; number: number } | null;
}

interface PauseDialogProps extends PauseTarget {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Says what keeps running, takes a reason for the audit log, and can be undone for a while. */
export function PauseDialog({ open, onOpenChange, ...target }: PauseDialogProps) {
  const { organizationSlug, project, name, liveChain } = target;
  const router = useRouter();
  const reasonId = useId();
  const [reason, setReason] = useState('');
  const [isStopping, setStopping] = useState(false);

  async function confirm(): Promise<string | undefined> {
    const stopChainId = isStopping ? (liveChain?.id ?? null) : null;
    const answer = project
      ? await pauseProject({ organizationSlug, project, reason, stopChainId })
      : await pauseOrganization({ organizationSlug, reason });
    if (!answer.ok) return answer.error.message;
    toast.success(`${name} is paused.`, {
      duration: 30_000,
      action: { label: 'Undo', onClick: () => void undo() },
    });
    setReason('');
    router.refresh();
    return undefined;
  }

  async function undo() {
    const answer = project
      ? await resumeProject({ organizationSlug, project })
      : await resumeOrganization({ organizationSlug });
    if (!answer.ok) toast.error(answer.error.message);
    router.refresh();
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Pause ${name}`}
      look="primary"
      confirmLabel={`Pause ${name}`}
      effects={[
        project
          ? `No chain of ${name} starts until someone resumes it, by schedule or by hand.`
          : `No chain of any project of ${name} starts until someone resumes it.`,
        liveChain
          ? `#${liveChain.number} goes on, but starts no higher tier.`
          : 'Slots that pass meanwhile are not made up for.',
      ]}
      onConfirm={confirm}
    >
      <Field id={reasonId} label="Reason" isOptional hint="Shown in the banner and the audit log.">
        {(control) => (
          <Input
            {...control}
            maxLength={300}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {liveChain ? (
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
