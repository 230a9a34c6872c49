'use client';

import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useSyncExternalStore } from 'react';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Dialog } from '@/app/_components/ui/dialog';

const NARROW = '(width < 64rem)';

function subscribe(onChange: () => void) {
  const query = window.matchMedia(NARROW);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

interface DeliveryFrameProps {
  /** Leads back to the list alone. */
  closeHref: string;
  children: ReactNode;
}

/** Beside the list where there is room, a sheet over it where there is none. */
export function DeliveryFrame({ closeHref, children }: DeliveryFrameProps) {
  const router = useRouter();
  const isNarrow = useSyncExternalStore(
    subscribe,
    () => window.matchMedia(NARROW).matches,
    () => false,
  );
  if (isNarrow) {
    return (
      <Dialog
        form="sheet"
        open
        onOpenChange={() => router.push(closeHref, { scroll: false })}
        title="Delivery"
      >
        {children}
      </Dialog>
    );
  }
  return (
    <section
      aria-label="Delivery"
      className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-card border border-line bg-surface max-lg:hidden"
    >
      <header className="flex min-h-11 items-center justify-between gap-2 px-4 py-2">
        <h2 className="text-card">Delivery</h2>
        <ButtonLink
          look="quiet"
          size="icon-sm"
          className="-mr-1"
          href={closeHref}
          scroll={false}
          aria-label="Close the delivery"
        >
          <X aria-hidden />
        </ButtonLink>
      </header>
      <div className="px-4 pb-4">{children}</div>
    </section>
  );
}
