'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { loadPart } from '../reach/load-part';
import type { ConfirmDialog as ConfirmDialogType } from './confirm-dialog';

const ConfirmDialog = dynamic(
  async () => (await loadPart(() => import('./confirm-dialog'))).ConfirmDialog,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

interface LazyConfirmDialogProps
  extends Omit<ComponentProps<typeof ConfirmDialogType>, 'trigger' | 'open' | 'onOpenChange'> {
  /** The control that opens it. */
  trigger: (open: () => void) => ReactNode;
}

/** A ConfirmDialog whose code is loaded when it first opens, for pages that are seen more than used. */
export function LazyConfirmDialog({ trigger, ...dialog }: LazyConfirmDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);

  function open() {
    setWasOpen(true);
    setOpen(true);
  }

  return (
    <>
      {trigger(open)}
      {wasOpen ? <ConfirmDialog {...dialog} open={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
}
