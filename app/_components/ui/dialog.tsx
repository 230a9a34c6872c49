'use client';

import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';

interface DialogProps {
  /** The element that opens it; left out when `open` is controlled. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, at the right; the act last. */
  footer?: ReactNode;
  /** `sheet` is at the right edge, and full width on phones. `review` keeps its height while it loads. */
  form?: 'dialog' | 'sheet' | 'review';
  className?: string;
}

/** Room for what is still loading, so that no button moves when it arrives. */
export const REVIEW_SIZE =
  'h-[min(30rem,calc(100dvh-2rem))] w-[min(44rem,calc(100vw-2rem))] max-md:h-[min(36rem,calc(100dvh-2rem))]';

const FORMS = {
  dialog:
    'top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-dialog animate-enter',
  review: `${REVIEW_SIZE} top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2 rounded-dialog animate-enter`,
  sheet: 'inset-y-0 right-0 w-full max-w-120 border-y-0 border-r-0 animate-enter',
};

/** Traps focus while open and returns it to the trigger. */
export function Dialog({
  trigger,
  title,
  description,
  children,
  footer,
  form = 'dialog',
  className,
  ...state
}: DialogProps) {
  return (
    <RadixDialog.Root {...state}>
      {trigger ? <RadixDialog.Trigger asChild>{trigger}</RadixDialog.Trigger> : null}
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <RadixDialog.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed z-50 flex flex-col border border-line bg-surface shadow-dialog',
            FORMS[form],
            className,
          )}
        >
          <div className="flex items-start gap-4 px-4 pt-4 pb-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <RadixDialog.Title className="text-section">{title}</RadixDialog.Title>
              {description ? (
                <RadixDialog.Description className="text-text-2">
                  {description}
                </RadixDialog.Description>
              ) : null}
            </div>
            <RadixDialog.Close asChild>
              <Button look="quiet" size="icon-sm" aria-label="Close" className="-mt-1 -mr-1">
                <X aria-hidden />
              </Button>
            </RadixDialog.Close>
          </div>
          {children ? (
            <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
          ) : null}
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-3">
              {footer}
            </div>
          ) : null}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export const DialogClose = RadixDialog.Close;
