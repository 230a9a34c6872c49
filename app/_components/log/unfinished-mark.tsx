import { Ellipsis } from 'lucide-react';

/** Above what an agent wrote of an answer that never came to its end. */
export function UnfinishedMark() {
  return (
    <p className="mb-1 flex items-center gap-1.5 text-meta text-text-3">
      <Ellipsis aria-hidden className="size-3.5" />
      Unfinished answer
    </p>
  );
}
