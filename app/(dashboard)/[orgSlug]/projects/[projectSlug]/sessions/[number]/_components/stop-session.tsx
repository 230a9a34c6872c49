'use client';

import { CircleStop } from 'lucide-react';
import { type Booked, useRunningCost } from '@/app/_components/log/log-provider';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { stopChain } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/actions';
import { formatCost } from '@/lib/platform/format/cost';

interface StopSessionProps {
  organizationSlug: string;
  session: { number: number; chainId: string; chainNumber: number };
  booked: Booked;
}

/** Asks first, with the effects; never one key. */
export function StopSession({ organizationSlug, session, booked }: StopSessionProps) {
  const { micros, isEstimate } = useRunningCost(booked);
  const cost = micros === null ? '' : ` (${isEstimate ? 'about ' : ''}${formatCost(micros)})`;
  return (
    <ConfirmDialog
      trigger={
        <Button look="primary" size="sm" icon={CircleStop}>
          Stop
        </Button>
      }
      title={`Stop Session #${session.number}`}
      confirmLabel={`Stop Session #${session.number}`}
      effects={[
        'Stops the process and everything it started within 10 s.',
        `Cost so far${cost} is kept.`,
        `Chain #${session.chainNumber} ends with it, and no higher tier starts. It doesn’t restart.`,
      ]}
      done={`Session #${session.number} is stopping.`}
      onConfirm={() => stopChain({ organizationSlug, chainId: session.chainId })}
    />
  );
}
