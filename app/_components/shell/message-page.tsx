import type { ReactNode } from 'react';

interface MessagePageProps {
  title: string;
  /** Why, in a sentence. */
  children: ReactNode;
  /** The way on. */
  action: ReactNode;
  requestId?: string | null;
}

/** A whole page that says one thing: 404, 500. */
export function MessagePage({ title, children, action, requestId }: MessagePageProps) {
  return (
    <main className="mx-auto flex min-h-[70dvh] w-full max-w-120 flex-col items-start justify-center gap-4 px-4">
      <h1 className="text-page">{title}</h1>
      <p className="text-text-2">{children}</p>
      {action}
      {requestId ? (
        <p className="text-meta text-text-3">
          Request <code>{requestId}</code>
        </p>
      ) : null}
    </main>
  );
}
