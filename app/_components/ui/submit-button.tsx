'use client';

import { useFormStatus } from 'react-dom';
import type { ButtonProps } from './button';
import { PendingButton } from './spinner';

interface SubmitButtonProps extends Omit<ButtonProps, 'asChild' | 'type'> {
  /** Shown while the form is being sent: "Saving". */
  pendingLabel?: string;
}

/** Sends the surrounding form once: further clicks are ignored until the answer is there. */
export function SubmitButton({ children, pendingLabel, onClick, ...rest }: SubmitButtonProps) {
  const { pending } = useFormStatus();
  return (
    <PendingButton
      look="primary"
      {...rest}
      type="submit"
      isPending={pending}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending && pendingLabel ? pendingLabel : children}
    </PendingButton>
  );
}
