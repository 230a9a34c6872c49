import type { ClaimFacts } from './facts';

/** Any of the installation, the chain, the frozen and the live configuration is enough. */
export function isDryRun(
  facts: Pick<ClaimFacts, 'chain' | 'frozen' | 'live' | 'isDryRunForced'>,
): boolean {
  const { chain, frozen, live, isDryRunForced } = facts;
  return isDryRunForced || chain.isDryRun || frozen.dryRun || live.dryRun;
}
