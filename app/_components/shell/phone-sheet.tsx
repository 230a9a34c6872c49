'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { Button } from '../ui/button';
import { NavLinks } from './nav-links';
import type { ShellData } from './shell-data';
import { Switcher } from './switcher';

interface PhoneSheetProps {
  data: ShellData;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** The left bar on phones; focus goes back to the button that opened it. */
export function PhoneSheet({ data, isOpen, setOpen }: PhoneSheetProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim md:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] animate-sheet flex-col gap-2 border-line border-r bg-surface p-3 shadow-dialog md:hidden"
        >
          <div className="flex items-center gap-2">
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <div className="min-w-0 flex-1">
              <Switcher data={data} form="sheet" />
            </div>
            <Dialog.Close asChild>
              <Button look="quiet" size="icon" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Dialog.Close>
          </div>
          <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-2">
            <NavLinks data={data} isSheet onNavigate={() => setOpen(false)} />
          </nav>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
