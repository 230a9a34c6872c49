'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/**
 * A list of words in the address (`?table=cost,hops`) that only the browser needs: changing it
 * asks the server for nothing, and still back, reload and a sent link keep the view.
 */
export function useAddressList(
  name: string,
): [readonly string[], (word: string, isIn: boolean) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const words = (params.get(name) ?? '').split(',').filter(Boolean);
  function set(word: string, isIn: boolean) {
    const next = new URLSearchParams(params);
    const rest = words.filter((each) => each !== word);
    const list = isIn ? [...rest, word] : rest;
    if (list.length > 0) next.set(name, list.join(','));
    else next.delete(name);
    const search = next.toString().replaceAll('%2C', ',');
    window.history.replaceState(null, '', search === '' ? path : `${path}?${search}`);
  }
  return [words, set];
}
