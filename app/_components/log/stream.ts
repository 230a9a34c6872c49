import { shownPart, withPiece } from '@/lib/engine/events/pieces';
import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionNews } from '@/lib/insight/sessions/events';
import { liveClient } from '../live/live-client';

export type LogNews = Omit<SessionNews, 'writing'>;

export interface NewsListener {
  onOpen: () => void;
  onNews: (news: LogNews) => void;
  /** `status` of an answer that was no news; null when the connection broke. */
  onClosed: (status: number | null) => void;
}

/** Follows what is behind the event with this number; the function it returns ends that silently. */
export type OpenNews = (
  after: number,
  shown: UnfinishedAnswer | null,
  listener: NewsListener,
) => () => void;

const TIMEOUT_MS = 20_000;

interface StreamOf {
  organizationSlug: string;
  /** `ses_…` */
  id: string;
  /** `prj_…`; a session's standing changes with its project. */
  projectId: string;
}

/**
 * Follows a session over the browser's live connection: after each hint it asks for what the log
 * lacks. A lost hint loses nothing, and a hidden tab asks for nothing.
 */
export function followSession({ organizationSlug, id, projectId }: StreamOf): OpenNews {
  return (after, shown, listener) => {
    const controller = new AbortController();
    let isClosed = false;
    let isReading = false;
    let isDue = false;
    let isOpen = false;
    let position = after;
    let writing = shown;

    const close = () => {
      isClosed = true;
      unfollow();
      controller.abort();
    };
    const end = (status: number | null) => {
      if (isClosed) return;
      close();
      listener.onClosed(status);
    };
    const readOnce = async (): Promise<LogNews | null> => {
      const part = shownPart(writing);
      const query = new URLSearchParams({
        organization: organizationSlug,
        after: String(position),
        ...(part
          ? {
              message: part.messageId,
              length: String(part.length),
              checksum: String(part.checksum),
            }
          : {}),
      });
      const response = await fetch(`/api/live/sessions/${id}?${query}`, {
        cache: 'no-store',
        redirect: 'error',
        signal: AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (!response.ok) {
        end(response.status);
        return null;
      }
      return (await response.json()) as LogNews;
    };
    const read = async () => {
      isDue = true;
      if (isReading) return;
      isReading = true;
      try {
        while (isDue && !isClosed) {
          isDue = false;
          const news = await readOnce();
          if (news === null || isClosed) return;
          if (!isOpen) listener.onOpen();
          isOpen = true;
          position = news.events.at(-1)?.seq ?? position;
          writing = news.piece ? withPiece(writing, news.piece) : writing;
          isDue ||= news.hasMore;
          listener.onNews(news);
        }
      } catch {
        // The connection broke, a proxy answered with something else, or there was no answer.
        end(null);
      } finally {
        isReading = false;
      }
    };
    const unfollow = liveClient.follow({
      topics: [id, projectId],
      onChanged: () => void read(),
      onBroken: () => end(null),
    });
    // At once, too: the connection may need a moment before it follows the session.
    if (!document.hidden) void read();
    return close;
  };
}
