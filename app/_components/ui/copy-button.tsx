'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';
import { cn } from './cn';

type CopyState = 'idle' | 'copied' | 'refused';

/**
 * Copies `value` and reports success for two seconds, or reports that the browser refused.
 *
 * @param value the text, or a function that creates it when it is copied
 */
export function useCopy(value: string | (() => string)): { state: CopyState; copy: () => void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  return {
    state,
    copy: () => {
      // Undefined on plain http, where only https and loopback are secure contexts.
      const text = typeof value === 'string' ? value : value();
      const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error());
      written.then(
        () => setState('copied'),
        () => setState('refused'),
      );
    },
  };
}

const SAID = { idle: '', copied: 'Copied', refused: 'Couldn’t copy. Select the text instead.' };

interface CopyButtonProps {
  value: string;
  /** What is copied: "Copy command". The accessible name; visible unless `isIconOnly`. */
  label: string;
  isIconOnly?: boolean;
  className?: string;
}

export function CopyButton({ value, label, isIconOnly, className }: CopyButtonProps) {
  const { state, copy } = useCopy(value);
  return (
    <>
      <Button
        look="quiet"
        size={isIconOnly ? 'icon-sm' : 'sm'}
        aria-label={label}
        title={isIconOnly ? label : undefined}
        onClick={copy}
        className={className}
      >
        {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isIconOnly ? null : state === 'copied' ? 'Copied' : label}
      </Button>
      <CopySaid state={state} />
    </>
  );
}

/** Says `state` to screen readers without a place on the page. */
export function CopySaid({ state }: { state: CopyState }) {
  return (
    <span role="status" className="sr-only">
      {SAID[state]}
    </span>
  );
}

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
