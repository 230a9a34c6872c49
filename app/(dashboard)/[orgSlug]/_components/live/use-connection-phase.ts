'use client';

import { useSyncExternalStore } from 'react';
import { type Reach, serverReach } from '@/app/_components/reach/server-reach';
import { useClockText } from '@/app/_components/status/clock';
import { type ConnectionPhase, connectionPhase } from './connection-state';

const UP: Reach = { kind: 'up' };

/** Whether the server can be reached, and for how long it couldn't be. */
export function useConnectionPhase(): { reach: Reach; phase: ConnectionPhase } {
  const reach = useSyncExternalStore(serverReach.subscribe, serverReach.getState, () => UP);
  const phase = useClockText((nowMs) => connectionPhase(reach, nowMs), reach.kind === 'down');
  return { reach, phase };
}
