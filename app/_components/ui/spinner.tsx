import { CircleDot, LoaderCircle } from 'lucide-react';
import { cn } from './cn';

/** Turns slowly; stands still as another shape for people who asked for less motion. */
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
