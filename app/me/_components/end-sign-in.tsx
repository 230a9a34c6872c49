'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { endSignIn, signOutEverywhere } from '../actions';

interface EndSignInProps {
  authSessionId: string;
  /** "Firefox on Linux". */
  browser: string;
}

export function EndSignIn({ authSessionId, browser }: EndSignInProps) {
  const router = useRouter();

  async function end() {
    const answer = await endSignIn({ authSessionId });
    if (answer.ok) toast.success(`${browser} is signed out.`);
    else toast.error(answer.error.message);
    router.refresh();
  }

  return (
    <form action={end}>
      <SubmitButton look="secondary" size="sm" aria-label={`Sign out ${browser}`}>
        Sign out
      </SubmitButton>
    </form>
  );
}

/** `count` sign-ins, this browser's among them. */
export function SignOutEverywhere({ count }: { count: number }) {
  return (
    <LazyConfirmDialog
      trigger={(open) => (
        <Button size="sm" aria-haspopup="dialog" onClick={open}>
          Sign out everywhere
        </Button>
      )}
      title="Sign out everywhere"
      confirmLabel="Sign out everywhere"
      effects={[
        count === 1
          ? 'This signs out this browser. No other browser is signed in.'
          : `This signs out all ${count} browsers, including this one.`,
        'API tokens and runners keep working: they have their own keys.',
      ]}
      onConfirm={() => signOutEverywhere({})}
    />
  );
}
