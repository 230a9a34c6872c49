'use client';

import { Switch as RadixSwitch } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

/** On is ink, off is empty: red never means off. Submits `on` under `name` in a form. */
export function Switch({ className, ...rest }: ComponentProps<typeof RadixSwitch.Root>) {
  return (
    <RadixSwitch.Root
      className={cn(
        'relative inline-flex h-5 w-9 shrink-0 cursor-pointer items-center rounded-full border border-control bg-surface transition-colors duration-120 before:absolute before:-inset-1 before:content-[""] disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-ink data-[state=checked]:bg-ink',
        className,
      )}
      {...rest}
    >
      <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-control transition-transform duration-120 data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-ink" />
    </RadixSwitch.Root>
  );
}
