'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { rotateHeartbeat } from '../actions';

interface RotateHeartbeatProps {
  organizationSlug: string;
  heartbeatId: string;
  name: string;
}

/** Asks first, since the job has to be changed within a day. */
export function RotateHeartbeat({ organizationSlug, heartbeatId, name }: RotateHeartbeatProps) {
  const router = useRouter();
  return (
    <div>
      <ConfirmDialog
        trigger={
          <Button size="sm">
            <KeyRound aria-hidden /> New URL
          </Button>
        }
        title={`Create a new URL for ${name}`}
        look="primary"
        confirmLabel="Create new URL"
        effects={[
          'The page shows the new URL. Put it into the job.',
          'The current URL is accepted for another 24 hours.',
        ]}
        onConfirm={async () => {
          const answer = await rotateHeartbeat({ organizationSlug, heartbeatId });
          if (!answer.ok) return answer.error.message;
          toast.success(`New URL for ${name} created.`);
          router.refresh();
          return undefined;
        }}
      />
    </div>
  );
}
