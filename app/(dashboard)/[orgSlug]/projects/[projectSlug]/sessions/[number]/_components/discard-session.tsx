'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { formatCounted } from '@/lib/platform/format/count';
import { discardSession } from '../actions';

interface DiscardSessionProps {
  organizationSlug: string;
  session: { id: string; number: number };
  /** Of its checkpoints. */
  count: number;
}

export function DiscardSession({ organizationSlug, session, count }: DiscardSessionProps) {
  const router = useRouter();
  const title = `Discard the checkpoints of session #${session.number}`;
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
        `No retry, no next tier and no later cycle recovers from its ${formatCounted(count, 'checkpoint')}, or from one that it still writes.`,
        'They stay here to be read until they are deleted by their age.',
        'It cannot be taken back. The audit log says who did it.',
      ]}
      onConfirm={async () => {
        const answer = await discardSession({ organizationSlug, sessionId: session.id });
        if (!answer.ok) return answer.error.message;
        toast.success(`Nothing of session #${session.number} will be recovered.`);
        router.refresh();
        return undefined;
      }}
    />
  );
}
