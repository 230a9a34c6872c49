'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn';
import { useEarlyInput } from './use-early-input';

/** A native checkbox in our colours. Give it a label around it, or `aria-label`. */
export function Checkbox({ className, ref, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      type="checkbox"
      className={cn(
        'size-4 shrink-0 cursor-pointer accent-ink disabled:cursor-not-allowed pointer-coarse:size-5',
        className,
      )}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}

interface CheckboxFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** Checkbox and its words as one target. */
export function CheckboxField({ label, hint, className, ...rest }: CheckboxFieldProps) {
  const ownId = useId();
  const id = rest.id ?? ownId;
  return (
    <label htmlFor={id} className={cn('flex min-h-6 items-start gap-2', className)}>
      <Checkbox className="mt-0.5" {...rest} id={id} />
      <span className="flex flex-col">
        <span className="text-body">{label}</span>
        {hint ? <span className="text-text-2 text-ui">{hint}</span> : null}
      </span>
    </label>
  );
}
