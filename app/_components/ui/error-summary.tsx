'use client';

import { useEffect, useRef } from 'react';

export interface SummaryError {
  /** The id of the control; null for an error of the whole form. */
  fieldId: string | null;
  message: string;
}

/** Takes focus when a sent form comes back with errors, and links each to its field. */
export function ErrorSummary({ errors }: { errors: readonly SummaryError[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.focus();
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="rounded-control border border-bad-mark bg-bad-bg px-3 py-2 text-bad-fg text-ui"
    >
      <ul className="flex flex-col gap-1">
        {errors.map((error) => (
          <li key={`${error.fieldId}:${error.message}`}>
            {error.fieldId ? (
              <a href={`#${error.fieldId}`} className="underline underline-offset-3">
                {error.message}
              </a>
            ) : (
              error.message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
