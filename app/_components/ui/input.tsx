'use client';

import type { ComponentProps } from 'react';
import { cn } from './cn';
import { useEarlyInput } from './use-early-input';

/** The look that every text control shares. An error is also said in words beside the field. */
export const controlStyle =
  'w-full min-w-0 rounded-control border border-control bg-surface text-body text-text placeholder:text-text-3 hover:border-text-3 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-text-3 aria-invalid:border-bad-mark aria-invalid:ring-1 aria-invalid:ring-bad-mark';

export function Input({ className, ref, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(controlStyle, 'h-control px-2.5 read-only:bg-sunken', className)}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}

export function Textarea({ className, ref, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={cn(controlStyle, 'block resize-y px-2.5 py-1.5 read-only:bg-sunken', className)}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}
