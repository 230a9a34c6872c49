'use client';

import { ChevronRight } from 'lucide-react';
import { useState, useTransition } from 'react';
import { appendEvents, emptyLog, type LogRow, storedEvent } from '@/app/_components/log/events';
import { Button } from '@/app/_components/ui/button';
import { cn } from '@/app/_components/ui/cn';
import { FailedState } from '@/app/_components/ui/failed-state';
import { Spinner } from '@/app/_components/ui/spinner';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { TurnWork } from './turn-work';
import { withoutAnswer, workRows } from './work-rows';

interface PastWorkProps {
  organizationSlug: string;
  sessionId: string;
  /** The last words stand in the page, be they an answer or what is left of one. */
  isAnswerShown: boolean;
  reviewHref: string | null;
}

/** What the agent did on its way to an answer, fetched when somebody wants to know. */
export function PastWork({
  organizationSlug,
  sessionId,
  isAnswerShown,
  reviewHref,
}: PastWorkProps) {
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<readonly LogRow[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isPending, startTransition] = useTransition();

  function load() {
    setFailed(false);
    startTransition(async () => {
      try {
        const events = await readEvents(organizationSlug, sessionId);
        const log = appendEvents(emptyLog, events.map(storedEvent));
        setRows(isAnswerShown ? withoutAnswer(log.rows) : log.rows);
      } catch {
        setFailed(true);
      }
    });
  }

  return (
    <div className="flex flex-col">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
          if (!isOpen && rows === null && !isPending) load();
        }}
        className="inline-flex min-h-6 items-center gap-1 self-start text-text-2 text-ui hover:text-text"
      >
        {isPending ? (
          <Spinner className="size-4" />
        ) : (
          <ChevronRight aria-hidden className={cn('size-4', isOpen && 'rotate-90')} />
        )}
        What the agent did
      </button>
      {isOpen && rows ? (
        <div className="mt-1 border-line border-l">
          {workRows(rows).length === 0 ? (
            <p className="px-3 py-1 text-text-2 text-ui">It called nothing.</p>
          ) : (
            <TurnWork rows={rows} isLive={false} reviewHref={reviewHref} />
          )}
        </div>
      ) : null}
      {isOpen && hasFailed ? (
        <FailedState
          title="Couldn’t load what the agent did."
          action={
            <Button size="sm" onClick={load}>
              Try again
            </Button>
          }
        />
      ) : null}
    </div>
  );
}

interface EventPage {
  data: SessionEventDto[];
  nextCursor: string | null;
}

/** All events of a session that has ended, in their order. */
async function readEvents(organizationSlug: string, sessionId: string): Promise<SessionEventDto[]> {
  const events: SessionEventDto[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ organization: organizationSlug, limit: '1000' });
    if (cursor) query.set('cursor', cursor);
    const response = await fetch(`/api/v1/sessions/${sessionId}/events?${query}`);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const page = (await response.json()) as EventPage;
    events.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return events;
}
