'use client';

import { type ReactNode, useRef, useState } from 'react';

/**
 * Keeps what it shows while the pointer or the focus is inside, so that no row moves from under a
 * finger; what came in the meantime is shown when it leaves.
 */
export function FrozenWhileUsed({ children }: { children: ReactNode }) {
  const [isUsed, setUsed] = useState(false);
  const kept = useRef(children);
  if (!isUsed) kept.current = children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; the rows inside are the controls
    <div
      onPointerEnter={() => setUsed(true)}
      onPointerLeave={(event) => setUsed(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setUsed(true)}
      onBlur={(event) => setUsed(event.currentTarget.contains(event.relatedTarget))}
    >
      {kept.current}
    </div>
  );
}
