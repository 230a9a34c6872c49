'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { endSignIn } from '../actions';

interface EndSignInProps {
  authSessionId: string;
  /** "Firefox on Linux". */
  browser: string;
}

export function EndSignIn({ authSessionId, browser }: EndSignInProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  function end() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await endSignIn({ authSessionId });
      if (answer.ok) toast.success(`${browser} is signed out.`);
      else toast.error(answer.error.message);
      router.refresh();
    });
  }

  return (
    <Button
      size="sm"
      aria-label={`Sign out ${browser}`}
      aria-disabled={isPending || undefined}
      onClick={end}
    >
      {isPending ? <Spinner /> : null} Sign out
    </Button>
  );
}
