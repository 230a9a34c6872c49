import { useEffect, useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import type { askFirstScope, brokeredWarning } from '@/lib/projects/rules/brokered-warning';
import type { ruleExamples } from '@/lib/projects/rules/rule-examples';

export interface BrokerHelp {
  warningOf: typeof brokeredWarning;
  /** For a rule that asks first. */
  askScopeOf: typeof askFirstScope;
  examplesOf: typeof ruleExamples;
}

/**
 * Returns what helps with rules of a confined project, once it is loaded: it needs the catalog of
 * programs, and most pages of settings don't.
 */
export function useBrokerHelp(isWanted: boolean): BrokerHelp | null {
  const [help, setHelp] = useState<BrokerHelp | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    loadPart(() =>
      Promise.all([
        import('@/lib/projects/rules/brokered-warning'),
        import('@/lib/projects/rules/rule-examples'),
      ]),
    ).then(
      ([warning, examples]) => {
        if (isGone) return;
        setHelp({
          warningOf: warning.brokeredWarning,
          askScopeOf: warning.askFirstScope,
          examplesOf: examples.ruleExamples,
        });
      },
      // The page is older than the server: its rules are saved and judged there all the same.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return isWanted ? help : null;
}
