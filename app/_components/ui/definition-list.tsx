import type { ReactNode } from 'react';
import { cn } from './cn';

interface Definition {
  term: string;
  value: ReactNode;
}

interface DefinitionListProps {
  items: readonly Definition[];
  className?: string;
}

/** Terms in one column, values in the next; one above the other where it is narrow. */
export function DefinitionList({ items, className }: DefinitionListProps) {
  return (
    <dl
      className={cn(
        'grid grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] gap-x-6 gap-y-2 text-ui',
        className,
      )}
    >
      {items.map((item) => (
        <div key={item.term} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className="text-text-3">{item.term}</dt>
          <dd className="min-w-0 break-words tabular-nums">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
