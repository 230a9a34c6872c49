import { isFor } from '../webhooks/recipients';
import type { Happening } from '../webhooks/schema';
import { type ChannelRoutes, hears } from './channels/filter';

interface Told {
  projectId: string;
  chainId: string | null;
  sessionId: null;
  level: 'info' | 'warning';
  code: 'NOTIFIED' | 'NOBODY_NOTIFIED';
  message: string;
}

/**
 * Who is told that a chain needs a human; a warning when that is nobody. Nothing for other events.
 * Sending comes later, so it does not say that they know.
 */
export function toldNotice(
  { event, projectId, chainId }: Happening,
  channels: readonly (ChannelRoutes & { name: string; kind: string })[],
  endpoints: readonly { url: string; projectId: string | null; eventTypes: readonly string[] }[],
): Told[] {
  const isEnd = event.type === 'chain.completed' && event.data.chain.outcome === 'needs_human';
  if (!isEnd || projectId === null) return [];
  const about = { projectId, chainId, sessionId: null };
  const told = [
    ...channels
      .filter((channel) => hears(channel, event, projectId))
      .map(({ name, kind }) => `${name} (${kind === 'email' ? 'e-mail' : 'Apprise'})`),
    ...endpoints
      .filter((endpoint) => isFor(endpoint.projectId, projectId))
      .map(({ url }) => `${new URL(url).host} (webhook)`),
  ];
  if (told.length === 0) {
    const message =
      'Nobody is notified: no notification channel or webhook hears of a chain that needs a human. Add one under Settings, Notifications.';
    return [{ ...about, level: 'warning', code: 'NOBODY_NOTIFIED', message }];
  }
  const message = `A human is needed. Notifying ${listOf(told)}.`;
  return [{ ...about, level: 'info', code: 'NOTIFIED', message }];
}

/** `a`, `a and b`, `a, b and c`. */
function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
