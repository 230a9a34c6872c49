'use client';

import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { onUnopenedPage } from '../reach/pending-navigation';

const PHONE = '(width < 48rem)';

function subscribe(onChange: () => void) {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

function sayUnopened(status: number | null) {
  const [cause, advice] =
    status === null
      ? ['Can’t reach Tierwatch', 'Try again when the connection is back.']
      : [`Tierwatch couldn’t open that page (${status})`, 'Try again later.'];
  toast.error(`${cause}, so this page stays open with what you entered. ${advice}`, {
    id: 'unopened-page',
  });
}

/** The results of your own acts only: `toast.success('Chain #13 started.')` from sonner. */
export function Toaster() {
  useEffect(() => onUnopenedPage(sayUnopened), []);
  const isPhone = useSyncExternalStore(
    subscribe,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  return (
    <Sonner
      position={isPhone ? 'top-center' : 'bottom-right'}
      duration={6000}
      visibleToasts={3}
      gap={8}
      closeButton
      icons={{
        success: <CircleCheck className="size-4 text-ok-mark" />,
        error: <CircleX className="size-4 text-bad-mark" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-(--width) items-center font-sans! gap-2 rounded-card border border-line bg-surface px-3 py-2.5 text-ui text-text shadow-menu',
          content: 'flex-1',
          actionButton:
            'h-7 rounded-control border border-control/60 px-2 font-medium hover:bg-hover',
          closeButton: 'order-last grid size-6 place-items-center rounded-badge hover:bg-hover',
        },
      }}
    />
  );
}
