import { Children, type ReactNode } from 'react';

/** Facts in one line with dots between them; where it wraps, a line never begins with a dot. */
export function FactLine({ children }: { children: ReactNode }) {
  const facts = Children.toArray(children);
  return facts.map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a fixed line of facts
    <span key={index} className="inline-flex flex-wrap items-center gap-x-2">
      {fact}
      {index < facts.length - 1 ? (
        <span aria-hidden className="text-text-3">
          ·
        </span>
      ) : null}
    </span>
  ));
}
