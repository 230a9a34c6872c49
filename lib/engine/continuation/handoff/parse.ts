import type { z } from 'zod';
import { parseStorable } from '@/lib/platform/format/text';
import type { Tier } from '@/lib/protocol/spec';
import { HANDOFF_VERSION, type Handoff, handoffSchema } from './schema';

/** A larger file isn't parsed, in characters. */
export const MAX_HANDOFF_CHARS = 500_000;

export type ParsedHandoff =
  | { ok: true; handoff: Handoff }
  /** `unreadable`: not JSON or too large. `invalid`: JSON, but not a handoff from this tier. */
  | { ok: false; kind: 'unreadable' | 'invalid'; error: string };

/** Parses what tier `currentTier` wrote. `error` is one clause without a full stop. */
export function parseHandoff(text: string, currentTier: Tier): ParsedHandoff {
  if (text.length > MAX_HANDOFF_CHARS) {
    return unreadable(`the file has ${text.length} characters, more than ${MAX_HANDOFF_CHARS}`);
  }
  if (text.trim() === '') return unreadable('the file is empty');
  let value: unknown;
  try {
    value = parseStorable(text);
  } catch {
    return unreadable('the file is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('the file is not a JSON object');
  }
  // The version determines how to read the rest, so it is checked first.
  if (!('schema_version' in value)) return invalid('schema_version is missing');
  if (value.schema_version !== HANDOFF_VERSION) {
    return invalid(
      `schema_version is ${shown(value.schema_version)}, only ${HANDOFF_VERSION} is known`,
    );
  }
  const parsed = handoffSchema.safeParse(value);
  if (!parsed.success) return invalid(firstError(parsed.error, value));
  return judgeForTier(parsed.data, currentTier);
}

function judgeForTier(handoff: Handoff, currentTier: Tier): ParsedHandoff {
  if (handoff.recommended_tier <= currentTier) {
    return invalid(
      `recommended_tier is ${handoff.recommended_tier}, which is not above tier ${currentTier}`,
    );
  }
  // What the next tier needs depends on the current tier, not on the request.
  if (currentTier === 2) {
    if (handoff.investigation_findings === undefined) {
      return invalid('investigation_findings is missing');
    }
    if (handoff.remediation_attempted === undefined) {
      return invalid('remediation_attempted is missing');
    }
  }
  return { ok: true, handoff };
}

function firstError(error: z.ZodError, value: unknown): string {
  const issue = error.issues[0];
  if (!issue) return 'the file does not match the schema';
  const field = fieldName(issue.path);
  const found = valueAt(value, issue.path);
  if (found === undefined) return `${field} is missing`;
  if (issue.path.length === 1 && field === 'recommended_tier') {
    return `recommended_tier is ${shown(found)}, not 2 or 3`;
  }
  if (issue.code === 'too_small') return `${field} is empty`;
  if (issue.code === 'invalid_value') {
    return `${field} is ${shown(found)}, not ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_type') return `${field} is not ${article(issue.expected)}`;
  if (issue.code === 'too_big') return `${field} is too long`;
  return `${field} is not valid`;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function unreadable(error: string): ParsedHandoff {
  return { ok: false, kind: 'unreadable', error };
}

function invalid(error: string): ParsedHandoff {
  return { ok: false, kind: 'invalid', error };
}
