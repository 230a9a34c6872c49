'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { requestCheckpoint } from '../actions';

interface CheckpointNowProps {
  organizationSlug: string;
  session: { id: string; number: number };
  /** Somebody has asked, and it has not come yet. */
  isAsked: boolean;
}

/** The checkpoint itself arrives with the session's stream, and the page draws it then. */
export function CheckpointNow({ organizationSlug, session, isAsked }: CheckpointNowProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const isBusy = isPending || isAsked;
  const ask = () =>
    startTransition(async () => {
      const answer = await requestCheckpoint({ organizationSlug, sessionId: session.id });
      if (answer.ok) toast.success(`Asked session #${session.number} for a checkpoint.`);
      else toast.error(answer.error.message);
      router.refresh();
    });
  return (
    <Button
      size="sm"
      aria-disabled={isBusy || undefined}
      onClick={() => {
        if (!isBusy) ask();
      }}
    >
      {isBusy ? <Spinner /> : null}
      {isAsked ? 'Asked for a checkpoint' : 'Checkpoint now'}
    </Button>
  );
}
