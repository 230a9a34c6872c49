'use client';

import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useClockText } from '../../status/clock';
import { Button } from '../../ui/button';
import type { FeedConnection } from './session-feed';

const PATIENCE_MS = 30_000;

interface StreamNoteProps {
  connection: FeedConnection;
  lastSeq: number;
  onReconnect: () => void;
}

/** Says that the stream broke, once that has lasted; what stands in the log stays. */
export function StreamNote({ connection, lastSeq, onReconnect }: StreamNoteProps) {
  if (connection.kind === 'broken') {
    return <BrokenNote since={connection.since} lastSeq={lastSeq} onReconnect={onReconnect} />;
  }
  if (connection.kind !== 'refused') return null;
  return (
    <Note onReconnect={onReconnect}>
      {connection.status === 401
        ? 'Your sign-in has ended, so the log no longer follows. Sign in again, then reconnect.'
        : `The server refused the stream (${connection.status}). Everything up to event ${lastSeq.toLocaleString('en')} is here.`}
    </Note>
  );
}

function BrokenNote({
  since,
  lastSeq,
  onReconnect,
}: Omit<StreamNoteProps, 'connection'> & { since: number }) {
  const isLong =
    useClockText((nowMs) => (nowMs - since > PATIENCE_MS ? 'long' : 'short')) === 'long';
  if (!isLong) {
    return (
      <p role="status" className="px-3 py-1.5 text-meta text-wait-fg">
        Reconnecting…
      </p>
    );
  }
  return (
    <Note onReconnect={onReconnect}>
      The stream broke at event {lastSeq.toLocaleString('en')}. Everything before is here.
    </Note>
  );
}

function Note({ children, onReconnect }: { children: ReactNode; onReconnect: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-line border-t bg-wait-bg px-3 py-1.5 text-ui text-wait-fg"
    >
      <Unplug aria-hidden className="size-4 text-wait-mark" />
      <p className="min-w-0 flex-1">{children}</p>
      <Button size="sm" onClick={onReconnect}>
        Reconnect
      </Button>
    </div>
  );
}
