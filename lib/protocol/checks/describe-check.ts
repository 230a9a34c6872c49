import type { CheckRules } from './check-kind';
import {
  CHECK_RULES,
  type CheckFacts,
  type CheckFields,
  type CheckOptions,
  type CheckType,
} from './kinds';
import { shownTarget } from './target';

type DescribedCheck = { type: CheckType; target: string } & CheckOptions;

/** Returns what no page needs of a kind. */
export function rulesOf(type: CheckType): Omit<CheckRules<CheckFields>, 'texts'> {
  return CHECK_RULES[type];
}

/** Keeps a shown check within what an event and a page have room for. */
const MAX_SHOWN = 600;

/**
 * Returns the text that identifies a check among those of its kind and service: its target, and what
 * makes another check of the same target: `shop.example MX`, `http://prometheus:9090 up{job="shop"}`.
 */
export function shownCheck(check: DescribedCheck): string {
  const more = rulesOf(check.type).identity?.(check) ?? [];
  const text = [shownTarget(check.target), ...more].filter((word) => word !== undefined).join(' ');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

/**
 * Returns what a check measured in a few words for people, such as `from 10.0.0.7, dns 2 ms, connect 1 ms`;
 * empty if it measured only its time.
 */
export function factWords(type: CheckType, facts: CheckFacts): string {
  const values: Readonly<Record<string, unknown>> = facts;
  return Object.entries(rulesOf(type).facts)
    .flatMap(([name, { words }]) => {
      const value = values[name];
      return value === undefined ? [] : [(words as ((of: unknown) => string) | undefined)?.(value)];
    })
    .filter(Boolean)
    .join(', ');
}
