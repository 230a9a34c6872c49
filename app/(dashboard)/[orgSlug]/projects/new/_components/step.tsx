import type { ReactNode } from 'react';

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
}

/** One of the four parts; all of them are on the page, in order. */
export function Step({ number, title, children }: StepProps) {
  return (
    <section className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 border-line border-t px-4 py-5 first:border-t-0 max-md:grid-cols-1">
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full border border-control/60 text-meta text-text-2 tabular-nums max-md:hidden"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-col gap-4">
        <h2 className="text-card">
          <span className="md:sr-only">{number}. </span>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
