'use client';

import { Unplug } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatCounted } from '@/lib/platform/format/count';
import { useClockText } from '../status/clock';
import { Button } from '../ui/button';
import type { LogSession } from './entries';
import type { FeedState } from './feed';
import { useLogFeed } from './log-provider';

const PATIENCE_MS = 30_000;

/** Shows that a stream has been down for a while. The log keeps its rows. */
export function StreamNote({ states }: { states: readonly FeedState[] }) {
  const feed = useLogFeed();
  const broken = states.find(({ connection: { kind } }) => kind === 'broken' || kind === 'refused');
  if (!broken) return null;
  const { connection } = broken;
  const lastSeq = (broken.log.lastSeq ?? 0).toLocaleString('en');
  if (connection.kind === 'broken') {
    return <BrokenNote since={connection.since} lastSeq={lastSeq} onReconnect={feed.reconnect} />;
  }
  if (connection.kind !== 'refused') return null;
  return (
    <Note onReconnect={feed.reconnect}>
      {connection.status === 401
        ? 'Your sign-in has ended, so the log no longer follows. Sign in again, then reconnect.'
        : `The server refused the stream (${connection.status}). Everything up to event ${lastSeq} is here.`}
    </Note>
  );
}

interface BrokenNoteProps {
  since: number;
  lastSeq: string;
  onReconnect: () => void;
}

function BrokenNote({ since, lastSeq, onReconnect }: BrokenNoteProps) {
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
      The stream broke at event {lastSeq}. Everything before is here.
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

const GAP_MS = 10_000;

interface AnnouncerProps {
  /** "Chain #5", "Session #8". */
  name: string;
  sessions: readonly LogSession[];
  /** Events of the whole log, and those among them that were denied. */
  count: number;
  denied: number;
  hasEnded: boolean;
}

/** Tells a screen reader at once that a tier started or the end came, and else what came each 10 s. */
export function Announcer({ name, sessions, count, denied, hasEnded }: AnnouncerProps) {
  const [text, setText] = useState('');
  const newest = useRef({ count, denied });
  newest.current = { count, denied };
  const announced = useRef({ count, denied });
  const last = sessions.at(-1);
  const shown = useRef({ id: last?.id, hasEnded });

  useEffect(() => {
    if (last && last.id !== shown.current.id) {
      setText(`Tier ${last.tier} started: Session #${last.number}.`);
    }
    if (hasEnded && !shown.current.hasEnded) setText(`${name} has ended.`);
    shown.current = { id: last?.id, hasEnded };
  }, [last, hasEnded, name]);

  useEffect(() => {
    if (hasEnded) return;
    const timer = setInterval(() => {
      const added = newest.current.count - announced.current.count;
      const refused = newest.current.denied - announced.current.denied;
      announced.current = newest.current;
      if (added > 0) {
        setText(`${formatCounted(added, 'new event')}${refused > 0 ? `, ${refused} denied` : ''}`);
      }
    }, GAP_MS);
    return () => clearInterval(timer);
  }, [hasEnded]);

  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
