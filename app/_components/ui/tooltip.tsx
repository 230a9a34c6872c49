'use client';

import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  /** More about the trigger; never the only place for required information. */
  tip: ReactNode;
  /** One element that can take a ref and, for the keyboard, focus. */
  children: ReactElement;
}

export function Tooltip({ tip, children }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={300}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-w-80 animate-enter rounded-control border border-line bg-surface px-2 py-1 text-meta text-text shadow-menu"
          >
            {tip}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
