'use client';

import { CircleStop } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { stopTurn } from '../../actions';

interface StopTurnProps {
  organizationSlug: string;
  conversationId: string;
  turn: { id: string; position: number };
}

export function StopTurn({ organizationSlug, conversationId, turn }: StopTurnProps) {
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm">
          <CircleStop aria-hidden /> Stop
        </Button>
      }
      title={`Stop turn ${turn.position}`}
      confirmLabel={`Stop turn ${turn.position}`}
      effects={[
        'Stops the agent and everything it started within 10 s.',
        'What it has cost is kept. Your message stays, without an answer.',
      ]}
      onConfirm={async () => {
        const answer = await stopTurn({ organizationSlug, conversationId, turnId: turn.id });
        router.refresh();
        return answer.ok ? undefined : answer.error.message;
      }}
    />
  );
}
