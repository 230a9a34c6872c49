import { Link } from '@/app/_components/ui/link';
import type { Tier } from '../status/tier-mark';

interface DenialProps {
  tier: Tier;
  /** False for a tool outside the tier's set. */
  isOffered: boolean;
  tool: string;
  /** The rule that refuses it, where one does; else no rule allows it. */
  refusedBy?: string | null;
  /** Only for people who may change rules. Never filled in from what the agent wrote. */
  reviewHref?: string | null;
}

/** Why a call did not run. */
export function Denial({ tier, isOffered, tool, refusedBy, reviewHref }: DenialProps) {
  return (
    <p className="text-ui text-wait-fg">
      {sentence()}
      {reviewHref ? (
        <>
          {' '}
          <Link href={reviewHref} className="link">
            Review tier {tier} rules
          </Link>
        </>
      ) : null}
    </p>
  );

  function sentence() {
    if (!isOffered) return `Not offered: ${tool} is outside the tools of tier ${tier}.`;
    if (refusedBy) return `Denied: refused by the rule ${refusedBy} of tier ${tier}.`;
    return `Denied: no rule of tier ${tier} allows this.`;
  }
}
