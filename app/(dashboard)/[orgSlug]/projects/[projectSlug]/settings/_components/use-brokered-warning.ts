import { useEffect, useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import type { brokeredWarning } from '@/lib/projects/rules/brokered-warning';

type Warning = typeof brokeredWarning;

/**
 * Returns what warns about rules of a tier with isolation, once it is loaded: it needs the catalog of
 * programs, and most pages of settings don't.
 */
export function useBrokeredWarning(isWanted: boolean): Warning | null {
  const [warning, setWarning] = useState<{ of: Warning } | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    loadPart(() => import('@/lib/projects/rules/brokered-warning')).then(
      (part) => {
        if (!isGone) setWarning({ of: part.brokeredWarning });
      },
      // The page is older than the server: its rules are saved and judged there all the same.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return isWanted ? (warning?.of ?? null) : null;
}
