'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { TokenForm } from './token-form';
import { TokenOnce } from './token-once';

/** From scopes and end to the token, which the same dialog shows once. */
export function CreateToken({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<{ token: string; url: string } | null>(null);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setMade(null);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={changeOpen}
      title={made ? 'Token created' : 'Create API token'}
      trigger={
        <Button look="primary">
          <Plus aria-hidden /> Create token
        </Button>
      }
    >
      {made ? (
        <TokenOnce {...made} onDone={() => changeOpen(false)} />
      ) : (
        <TokenForm
          organizationSlug={organizationSlug}
          onMade={(token) => {
            setMade(token);
            router.refresh();
          }}
        />
      )}
    </Dialog>
  );
}
