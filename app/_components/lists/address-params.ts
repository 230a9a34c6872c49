import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import { hrefWith } from './list-params';

/** What the browser alone has changed in an address of the router; null removes a name. */
interface OwnParams {
  /** The path and the query as the router knows them. */
  address: string;
  change: Readonly<Record<string, string | null>>;
}

const NONE: OwnParams = { address: '', change: {} };
let own = NONE;
const listeners = new Set<() => void>();

/**
 * The address of the page with what only the browser needs in it (`?table=cost,hops`): changing
 * that asks the server for nothing, and still reload and a sent link keep the view.
 *
 * @returns the names and values; the address of the page with some of them changed; and a function
 *   that changes the page’s own
 */
export function useAddressParams() {
  const path = usePathname();
  const known = useSearchParams();
  const base = `${path}?${known}`;
  const stored = useSyncExternalStore(subscribe, readOwn, readNone);
  const change = stored.address === base ? stored.change : NONE.change;
  const params: Record<string, string> = Object.fromEntries(known);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete params[name];
    else params[name] = value;
  }
  // After each render: a refresh has put the router's own address back.
  useEffect(() => {
    if (stored.address === base) showAddress(readable(`${path}?${new URLSearchParams(params)}`));
  });
  return {
    params,
    hrefWith: (next: Record<string, string | null>) => readable(hrefWith(path, params, next)),
    change: (next: Record<string, string | null>) => {
      own = { address: base, change: { ...change, ...next } };
      for (const listener of listeners) listener();
    },
  };
}

function readable(address: string): string {
  return address.replace(/\?$/, '').replaceAll('%2C', ',');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // The page is left; a link that leads back to it means what it says.
    if (listeners.size === 0) own = NONE;
  };
}

function readOwn(): OwnParams {
  return own;
}

function readNone(): OwnParams {
  return NONE;
}

/**
 * Replaces the address without an entry in the history, and without telling the router. If it knew,
 * it would take each answer to a refresh for another page: it requests that again, scrolls to the
 * top, and the second time reloads the page (vercel/next.js#98323).
 *
 * @param address path and query
 */
export function showAddress(address: string): void {
  const { pathname, search } = window.location;
  if (address === `${pathname}${search}`) return;
  History.prototype.replaceState.call(window.history, window.history.state, '', address);
}
