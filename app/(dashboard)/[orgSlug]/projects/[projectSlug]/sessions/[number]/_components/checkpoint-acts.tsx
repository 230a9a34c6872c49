'use client';

import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import {
  discardSession,
  requestCheckpoint,
} from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/actions';
import { formatCounted } from '@/lib/platform/format/count';

interface DiscardSessionProps {
  organizationSlug: string;
  session: { id: string; number: number };
  /** Of its checkpoints. */
  count: number;
}

export function DiscardSession({ organizationSlug, session, count }: DiscardSessionProps) {
  const title = `Discard the checkpoints of Session #${session.number}`;
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" look="quiet">
          Discard
        </Button>
      }
      title={title}
      confirmLabel="Discard the checkpoints"
      effects={[
        `No retry, no next tier and no later chain recovers from its ${formatCounted(count, 'checkpoint')}, or from one that it still writes.`,
        'You can still read them here until retention deletes them.',
        'You can’t undo this. The audit log records who did it.',
      ]}
      done={`Nothing of Session #${session.number} will be recovered.`}
      onConfirm={() => discardSession({ organizationSlug, sessionId: session.id })}
    />
  );
}

interface CheckpointNowProps {
  organizationSlug: string;
  session: { id: string; number: number };
  /** Somebody has asked, and it has not come yet. */
  isAsked: boolean;
}

/** The checkpoint itself arrives with the session's stream, and the page draws it then. */
export function CheckpointNow({ organizationSlug, session, isAsked }: CheckpointNowProps) {
  const { act, isPending, sayDone } = useAct();
  const isBusy = isPending || isAsked;
  const ask = () =>
    act(
      () => requestCheckpoint({ organizationSlug, sessionId: session.id }),
      () => sayDone(`Asked Session #${session.number} for a checkpoint.`),
    );
  return (
    <PendingButton
      size="sm"
      isPending={isBusy}
      onClick={() => {
        if (!isBusy) ask();
      }}
    >
      {isAsked ? 'Asked for a checkpoint' : 'Checkpoint now'}
    </PendingButton>
  );
}
