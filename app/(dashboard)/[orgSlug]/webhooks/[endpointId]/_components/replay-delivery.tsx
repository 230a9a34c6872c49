'use client';

import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { replayDelivery } from '../../actions';

interface ReplayDeliveryProps {
  organizationSlug: string;
  deliveryId: string;
  /** Why it cannot be replayed now; null when it can. */
  refusal: string | null;
}

export function ReplayDelivery({ organizationSlug, deliveryId, refusal }: ReplayDeliveryProps) {
  const router = useRouter();
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function replay() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await replayDelivery({ organizationSlug, deliveryId });
      setError(answer.ok ? null : answer.error.message);
      router.refresh();
    });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        size="sm"
        disabled={refusal !== null}
        aria-disabled={isPending || undefined}
        onClick={replay}
      >
        {isPending ? <Spinner /> : <RotateCw aria-hidden />} Replay
      </Button>
      <span className="text-meta text-text-3">
        {refusal ?? 'Sends the same message under the same id, with 8 new attempts.'}
      </span>
      {error ? (
        <p role="alert" className="w-full text-bad-fg text-ui">
          {error}
        </p>
      ) : null}
    </div>
  );
}
