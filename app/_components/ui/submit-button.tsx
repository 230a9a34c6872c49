'use client';

import { useFormStatus } from 'react-dom';
import { Button, type ButtonProps } from './button';

interface SubmitButtonProps extends Omit<ButtonProps, 'asChild' | 'type'> {
  /** Shown while the form is being sent: "Saving". */
  pendingLabel?: string;
}

/** Sends the surrounding form once: further clicks are ignored until the answer is there. */
export function SubmitButton({ children, pendingLabel, onClick, ...rest }: SubmitButtonProps) {
  const { pending } = useFormStatus();
  return (
    <Button
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
    </Button>
  );
}
