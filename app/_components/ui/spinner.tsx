import { CircleDot, LoaderCircle } from 'lucide-react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';

interface PendingButtonProps extends Omit<ButtonProps, 'asChild'> {
  isPending: boolean;
}

/** While pending, shows a spinner and says that a press does nothing now. */
export function PendingButton({ isPending, icon, children, ...rest }: PendingButtonProps) {
  const shown = icon && !isPending ? { icon } : {};
  return (
    <Button {...rest} {...shown} aria-disabled={isPending || rest['aria-disabled']}>
      {isPending ? <Spinner /> : null}
      {children}
    </Button>
  );
}

/** Rotates slowly; with reduced motion it is a different, static shape. */
export function Spinner({ className }: { className?: string }) {
  return (
    <>
      <LoaderCircle
        aria-hidden
        className={cn('size-4 animate-turn motion-reduce:hidden', className)}
      />
      <CircleDot
        aria-hidden
        className={cn('hidden size-4 motion-reduce:inline-block', className)}
      />
    </>
  );
}
