'use client';

import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';
import { useEarlyInput } from './use-early-input';

/** A native select: it works with every keyboard, phone and password manager. */
export function Select({ className, ref, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select
        className={cn(controlStyle, 'h-control appearance-none pr-8 pl-2.5')}
        {...rest}
        ref={useEarlyInput(ref, rest.value ?? rest.defaultValue)}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-text-3"
      />
    </span>
  );
}
