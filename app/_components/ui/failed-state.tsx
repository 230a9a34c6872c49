import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';

interface FailedStateProps {
  /** "Couldn't load chains." */
  title: string;
  /** Why, in a sentence. */
  reason?: string;
  requestId?: string | null;
  /** [Try again]. */
  action?: ReactNode;
}

/** Stands in place of the part that failed, and never looks like an empty list. */
export function FailedState({ title, reason, requestId, action }: FailedStateProps) {
  return (
    <div role="alert" className="flex items-start gap-3 px-4 py-6">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-bad-mark" />
      <div className="flex flex-col items-start gap-2">
        <p className="max-w-prose">
          <span className="font-medium text-bad-fg">{title}</span>{' '}
          {reason ? <span className="text-text-2">{reason}</span> : null}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          {action}
          {requestId ? (
            <span className="text-meta text-text-3">
              Request <code>{requestId}</code>
            </span>
          ) : null}
        </div>
      </div>
    </div>
  );
}
