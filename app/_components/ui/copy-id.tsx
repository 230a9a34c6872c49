'use client';

import { cn } from './cn';
import { CopySaid, useCopy } from './copy-button';

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

/**
 * Shortens an opaque id in its middle, keeping the prefix readable: `ses_7Kq2…m4Xa`. A UUID
 * keeps its first group: `f1647ee4…`. Anything of up to 14 characters stays whole.
 */
export function middleCut(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id)) return `${id.slice(0, 8)}…`;
  if (id.length <= 14) return id;
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return `${id.slice(0, prefix.length + 4)}…${id.slice(-4)}`;
}
