'use client';

import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlStyle } from './control-style';
import { useEarlyInput } from './use-early-input';

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
