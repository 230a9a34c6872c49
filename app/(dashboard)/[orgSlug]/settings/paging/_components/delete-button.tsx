'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { deletePolicy } from '../actions';

interface DeleteButtonProps {
  organizationSlug: string;
  policyId: string;
  name: string;
}

export function DeleteButton({ organizationSlug, policyId, name }: DeleteButtonProps) {
  const router = useRouter();
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirmLabel="Delete policy"
      effects={['Nobody is paged for incidents of its projects that are announced afterwards.']}
      trigger={
        <Button size="icon-sm" aria-label={`Delete ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      }
      onConfirm={async () => {
        const answer = await deletePolicy({ organizationSlug, policyId });
        if (!answer.ok) return answer.error.message;
        router.refresh();
        return undefined;
      }}
    />
  );
}
