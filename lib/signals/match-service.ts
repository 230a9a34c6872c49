/** Finds the service of a project that an alert is about. Pure. */

import type { MatchService } from './occurrences';

/**
 * Returns a function that maps what a source calls a service to a service of the project: first by
 * the source's own list of names, then by an equal name, ignoring case.
 *
 * @param services UUIDs and names of the project's services
 * @param names the source's names, and the project's for them
 */
export function serviceMatcher(
  services: readonly { id: string; name: string }[],
  names: Readonly<Record<string, string>> = {},
): MatchService {
  const ids = new Map(services.map(({ id, name }) => [keyOf(name), id]));
  const own = new Map(Object.entries(names).map(([text, name]) => [keyOf(text), keyOf(name)]));
  const idOf = (text: string) => ids.get(own.get(keyOf(text)) ?? keyOf(text)) ?? null;
  return (texts) => {
    const found = texts.find((text) => idOf(text) !== null);
    const text = found ?? texts[0] ?? null;
    return { text, serviceId: text === null ? null : idOf(text) };
  };
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
