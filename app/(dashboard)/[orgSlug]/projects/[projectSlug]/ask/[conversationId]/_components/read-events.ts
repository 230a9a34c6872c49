import type { SessionEventDto } from '@/lib/insight/sessions/schema';

interface EventPage {
  data: SessionEventDto[];
  nextCursor: string | null;
}

/** All events of a session that has ended, in their order. */
export async function readEvents(
  organizationSlug: string,
  sessionId: string,
): Promise<SessionEventDto[]> {
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
