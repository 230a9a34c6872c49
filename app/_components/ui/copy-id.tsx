'use client';

import { cn } from './cn';
import { CopySaid, useCopy } from './copy-button';
import { middleCut } from './middle-cut';

interface CopyIdProps {
  id: string;
  /** What the id is of: "session id". */
  label: string;
  className?: string;
}

/** An id, cut in its middle; a click copies the whole. */
export function CopyId({ id, label, className }: CopyIdProps) {
  const { state, copy } = useCopy(id);
  return (
    <>
      <button
        type="button"
        onClick={copy}
        title={id}
        aria-label={`${middleCut(id)}, copy the ${label}`}
        className={cn(
          'relative z-10 -mx-1 inline-flex min-h-6 items-center rounded-badge px-1 font-mono text-code text-text-2 hover:bg-hover hover:text-text',
          className,
        )}
      >
        {state === 'copied' ? 'Copied' : middleCut(id)}
      </button>
      <CopySaid state={state} />
    </>
  );
}
