'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';

/** Asks once before unsaved changes are left behind: by a link of the page, or by closing the tab. */
export function LeaveGuard({ changes }: { changes: number }) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);

  useEffect(() => {
    if (changes === 0) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const href = link?.getAttribute('href');
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      if (!href || href.startsWith('#') || !isPlain) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [changes]);

  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) setTarget(null);
      }}
      title="Leave without saving"
      confirmLabel="Leave without saving"
      effects={[
        changes === 1
          ? 'The change on this page is lost.'
          : `The ${changes} changes on this page are lost.`,
      ]}
      onConfirm={async () => {
        if (target) router.push(target);
        return undefined;
      }}
    />
  );
}
