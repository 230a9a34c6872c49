import { AGENTS } from './registry';

const PREFIXES = [
  ...new Set(
    Object.values(AGENTS).flatMap(({ prices }) => prices.models.map(([prefix]) => prefix)),
  ),
];

/**
 * Returns the beginning of a model's name under which it is priced, such as `claude-sonnet`; `other` for
 * a model that no price table knows. So a label has few values, whatever a runner reports.
 */
export function modelFamily(model: string): string {
  return PREFIXES.find((prefix) => model.startsWith(prefix)) ?? 'other';
}
