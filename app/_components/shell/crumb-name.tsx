'use client';

import { useEffect, useSyncExternalStore } from 'react';

/** Names behind ids in the address, as the pages that are open have said them. */
let names: ReadonlyMap<string, string> = new Map();
const NONE: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function put(segment: string, name: string | null): void {
  const next = new Map(names);
  if (name === null) next.delete(segment);
  else next.set(segment, name);
  names = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Draws nothing: it names this page's part of the address in the breadcrumb. */
export function CrumbName({ segment, name }: { segment: string; name: string }) {
  useEffect(() => {
    put(segment, name);
    return () => put(segment, null);
  }, [segment, name]);
  return null;
}

export function useCrumbNames(): ReadonlyMap<string, string> {
  return useSyncExternalStore(
    subscribe,
    () => names,
    () => NONE,
  );
}
