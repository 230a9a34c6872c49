'use client';

import { Popover as RadixPopover } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';

interface PopoverProps {
  trigger: ReactNode;
  /** The accessible name of what opens. */
  label: string;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  align?: 'start' | 'center' | 'end';
  className?: string;
  children: ReactNode;
}

export function Popover({ trigger, label, align, className, children, ...state }: PopoverProps) {
  return (
    <RadixPopover.Root {...state}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            'z-50 w-72 animate-enter rounded-card border border-line bg-surface p-3 text-text shadow-menu',
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
