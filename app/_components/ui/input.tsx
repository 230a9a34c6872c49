'use client';

import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlStyle } from './control-style';
import { useEarlyInput } from './use-early-input';

export function Input({ className, ref, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(controlStyle, 'h-control px-2.5 read-only:bg-sunken', className)}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}
