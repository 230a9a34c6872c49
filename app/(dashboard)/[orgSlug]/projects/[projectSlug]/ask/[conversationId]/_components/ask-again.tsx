'use client';

import { RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { retryTurn } from '../../actions';

interface AskAgainProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; agent: string };
}

/** The way out of a last turn that got no answer; there is nothing to lose, so it does not ask first. */
export function AskAgain({ organizationSlug, conversationId, turn }: AskAgainProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function retry() {
    if (isPending) return;
    startTransition(async () => {
      const target = { organizationSlug, conversationId, turnId: turn.id };
      const answer = await retryTurn({ ...target, agent: turn.agent });
      if (!answer.ok) toast.error(answer.error.message);
      router.refresh();
    });
  }

  return (
    <Button size="sm" aria-disabled={isPending || undefined} onClick={retry}>
      {isPending ? <Spinner /> : <RotateCcw aria-hidden />} Ask again
    </Button>
  );
}
