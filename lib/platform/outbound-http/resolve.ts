import { promises as dns, type LookupAddress } from 'node:dns';
import { RefusedAddressError, UnresolvedNameError } from './failure';
import { checkAddress, type TargetRules } from './target-policy';

/** All addresses of a name, in the order to try them. Rejects when there is none. */
export type ResolveName = (host: string) => Promise<LookupAddress[]>;

/** The system's resolver, with its hosts file: names of the operator's own network work. */
export const resolveBySystem: ResolveName = (host) =>
  dns.lookup(host, { all: true, order: 'verbatim' });

/**
 * The addresses of `host`, all of them allowed. One that is not refuses the name as a whole: an
 * answer that mixes public and private addresses is how a check is got around.
 * Rejects with RefusedAddressError or UnresolvedNameError.
 */
export async function resolveAllowed(
  host: string,
  resolve: ResolveName,
  rules: TargetRules,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(host).catch(() => []);
  if (!first) throw new UnresolvedNameError(`${host} has no address. Check the spelling.`);
  for (const { address } of [first, ...others]) {
    const refusal = checkAddress(host, address, rules);
    if (refusal) throw new RefusedAddressError(refusal);
  }
  return [first, ...others];
}
