import { lookup } from 'node:dns/promises';
import { down, healthy, type Probe } from './outcome';

/** Resolves as programs on this host do: hosts file and search domains included. */
export const probeDns: Probe = async (check) => {
  const addresses = await lookup(check.target.trim(), { all: true });
  return addresses.length > 0 ? healthy : down('The name has no address.');
};
