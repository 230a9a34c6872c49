'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { resumeOrganization, resumeProject } from '../actions';

interface ResumeButtonProps {
  organizationSlug: string;
  /** Slug; null resumes the organization. */
  project: string | null;
  isAllowed: boolean;
}

export function ResumeButton({ organizationSlug, project, isAllowed }: ResumeButtonProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  if (!isAllowed) return null;

  function resume() {
    startTransition(async () => {
      const answer = project
        ? await resumeProject({ organizationSlug, project })
        : await resumeOrganization({ organizationSlug });
      if (!answer.ok) toast.error(answer.error.message);
      router.refresh();
    });
  }

  return (
    <Button size="sm" aria-disabled={isPending || undefined} onClick={resume}>
      Resume
    </Button>
  );
}
