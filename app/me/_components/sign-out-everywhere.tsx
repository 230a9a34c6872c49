'use client';

import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { signOutEverywhere } from '../actions';

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
