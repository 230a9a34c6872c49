'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { deletePolicy, deleteSchedule } from '../actions';

interface DeleteButtonProps {
  organizationSlug: string;
  kind: 'policy' | 'schedule';
  id: string;
  name: string;
}

const EFFECTS = {
  policy: 'Incidents of its projects that are announced afterwards don’t escalate.',
  schedule: 'Its shifts are deleted, too, and can’t be recovered.',
};

export function DeleteButton({ organizationSlug, kind, id, name }: DeleteButtonProps) {
  const router = useRouter();
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirmLabel={`Delete ${kind}`}
      effects={[EFFECTS[kind]]}
      trigger={
        <Button size="icon-sm" aria-label={`Delete ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      }
      onConfirm={async () => {
        const answer =
          kind === 'policy'
            ? await deletePolicy({ organizationSlug, policyId: id })
            : await deleteSchedule({ organizationSlug, scheduleId: id });
        if (!answer.ok) return answer.error.message;
        router.refresh();
        return undefined;
      }}
    />
  );
}
