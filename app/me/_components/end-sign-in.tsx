'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { loadPart } from '@/app/_components/reach/load-part';
import { Button } from '@/app/_components/ui/button';
import { SubmitButton } from '@/app/_components/ui/submit-button';
import { endSignIn, signOutEverywhere } from '../actions';

const ConfirmDialog = dynamic(
  async () => (await loadPart(() => import('@/app/_components/ui/confirm-dialog'))).ConfirmDialog,
  { loading: () => null },
);

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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      {isOpen ? (
        <ConfirmDialog
          open
          onOpenChange={setOpen}
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
      ) : null}
    </>
  );
}
