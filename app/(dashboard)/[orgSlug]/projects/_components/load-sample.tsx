'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { PendingButton } from '@/app/_components/ui/spinner';
import { loadSample } from '../actions';

/** Creates the sample project and opens it. */
export function LoadSample({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function load() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await loadSample({ organizationSlug });
      if (answer.ok) router.push(`/${organizationSlug}/projects/${answer.data.slug}`);
      else toast.error(answer.error.message);
    });
  }

  return (
    <PendingButton isPending={isPending} onClick={load}>
      Load the sample project
    </PendingButton>
  );
}
