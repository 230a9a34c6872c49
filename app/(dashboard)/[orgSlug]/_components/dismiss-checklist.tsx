'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { dismissChecklist } from '../actions';

/** Hides the checklist from everybody in the organization. */
export function DismissChecklist({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function dismiss() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await dismissChecklist({ organizationSlug });
      if (!answer.ok) toast.error(answer.error.message);
      router.refresh();
    });
  }

  return (
    <Button
      look="quiet"
      size="sm"
      aria-label="Dismiss the checklist"
      aria-disabled={isPending || undefined}
      onClick={dismiss}
    >
      Dismiss
    </Button>
  );
}
