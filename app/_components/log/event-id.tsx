'use client';

import { createContext, type ReactNode, useContext } from 'react';

const PrefixContext = createContext('');

interface EventIdsProps {
  /** Stands before each event's id where a page shows the events of several sessions. */
  prefix: string;
  children: ReactNode;
}

/** Keeps the ids of events apart: numbers begin anew in each session. */
export function EventIds({ prefix, children }: EventIdsProps) {
  return <PrefixContext value={prefix}>{children}</PrefixContext>;
}

/** Returns the id of an event's element: `event-12`, or `session-8-event-12` in a chain's log. */
export function useEventId(): (seq: number) => string {
  const prefix = useContext(PrefixContext);
  return (seq) => `${prefix}event-${seq}`;
}
