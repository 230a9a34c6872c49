import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlStyle } from './control-style';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(controlStyle, 'h-control px-2.5 read-only:bg-sunken', className)}
      {...rest}
    />
  );
}
