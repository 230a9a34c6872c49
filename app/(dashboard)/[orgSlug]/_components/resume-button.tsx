'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { type Pausable, resumeIt } from './pause-target';

interface ResumeButtonProps {
  organizationSlug: string;
  what: Pausable;
  isAllowed: boolean;
  /** Where several stand on a page: "Resume tier 2". */
  label?: string;
}

export function ResumeButton({ organizationSlug, what, isAllowed, label }: ResumeButtonProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  if (!isAllowed) return null;

  function resume() {
    startTransition(async () => {
      const answer = await resumeIt(organizationSlug, what);
      if (!answer.ok) toast.error(answer.error.message);
      router.refresh();
    });
  }

  return (
    <Button size="sm" aria-disabled={isPending || undefined} onClick={resume}>
      {label ?? 'Resume'}
    </Button>
  );
}
