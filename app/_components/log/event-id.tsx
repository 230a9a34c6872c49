'use client';

import { createContext, type ReactNode, useContext } from 'react';

interface EventScope {
  /** Stands before each event's id. */
  prefix: string;
  /** Follows the name of a request: " of Session #8". */
  suffix: string;
}

const ScopeContext = createContext<EventScope>({ prefix: '', suffix: '' });

interface EventsOfProps {
  sessionNumber: number;
  children: ReactNode;
}

/** Keeps ids and names of events apart where a page shows several sessions: numbers start over in each. */
export function EventsOf({ sessionNumber, children }: EventsOfProps) {
  const scope = {
    prefix: `session-${sessionNumber}-`,
    suffix: ` of Session #${sessionNumber}`,
  };
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Returns the id of an event's element: `event-12`, or `session-8-event-12` in a chain's log. */
export function useEventId(): (seq: number) => string {
  const { prefix } = useContext(ScopeContext);
  return (seq) => `${prefix}event-${seq}`;
}

/** Returns what follows the name of a request, which is empty on the page of a single session. */
export function useRequestSuffix(): string {
  return useContext(ScopeContext).suffix;
}
