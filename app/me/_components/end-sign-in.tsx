'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Spinner } from '@/app/_components/ui/spinner';
import { endSignIn, signOutEverywhere } from '../actions';

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

/** `count` sign-ins, this browser's among them. */
export function SignOutEverywhere({ count }: { count: number }) {
  return (
    <ConfirmDialog
      trigger={<Button size="sm">Sign out everywhere</Button>}
      title="Sign out everywhere"
      confirmLabel="Sign out everywhere"
      effects={[
        count === 1
          ? 'This browser is signed out; there is no other.'
          : `All ${count} browsers are signed out at once, this one too.`,
        'API tokens and runners go on: they have keys of their own.',
      ]}
      onConfirm={async () => {
        const answer = await signOutEverywhere({});
        return answer.ok ? undefined : answer.error.message;
      }}
    />
  );
}
