'use client';

import { CircleStop } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { formatCost } from '@/lib/platform/format/cost';
import { stopChain } from '../actions';

interface StopChainProps {
  organizationSlug: string;
  look?: ButtonProps['look'];
  chain: { id: string; number: number; costMicros: number };
}

export function StopChain({ organizationSlug, look = 'primary', chain }: StopChainProps) {
  const router = useRouter();
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button look={look} aria-haspopup="dialog" onClick={open}>
          <CircleStop aria-hidden /> Stop Chain #{chain.number}
        </Button>
      )}
      title={`Stop Chain #${chain.number}`}
      confirmLabel={`Stop Chain #${chain.number}`}
      effects={[
        'Stops the process and everything it started within 10 s.',
        `What it has cost is kept: ${formatCost(chain.costMicros)} is booked so far.`,
        'It doesn’t restart. The next scheduled chain starts as usual.',
      ]}
      onConfirm={async () => {
        const answer = await stopChain({ organizationSlug, chainId: chain.id });
        router.refresh();
        return answer.ok ? undefined : answer.error.message;
      }}
    />
  );
}
