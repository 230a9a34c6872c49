'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

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
