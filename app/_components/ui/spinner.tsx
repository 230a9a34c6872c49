import { CircleDot, LoaderCircle } from 'lucide-react';
import { cn } from './cn';

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
