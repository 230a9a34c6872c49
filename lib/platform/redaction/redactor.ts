/**
 * Redacts secrets in text before it is stored, sent or shown. The patterns are our own:
 * @secretlint/core is asynchronous, reports by file, knows neither assigned nor exact secrets, and
 * can't tell whether the end of a growing text may still become one.
 */

import { sanitizeForPostgres } from '../format/text';
import { assignedMarker, assignedSecrets, isSecretName, isSecretValue } from './assigned-secrets';
import { commandLineSecrets } from './command-line-secrets';
import { exactSecrets, mayBegin, secretForms } from './exact-secrets';
import { hasOpenEnd } from './growing-text';
import { base64Credentials, httpSecrets } from './http-secrets';
import { providerKeys } from './provider-keys';
import { compileRules, hideEscapes, showEscapes } from './rule';
import { structuredSecrets } from './structured-secrets';

/** Returns whether the field `name` of this object is left unchanged. */
type IsKept = (owner: object, name: string) => boolean;

export interface Redactor {
  /** The text with every secret shown as `[redacted: kind]`. Idempotent. */
  text(text: string): string;
  /**
   * The same for JSON-like data, keys included. What is nested too deeply, cyclic or no plain
   * data (functions, buffers, class instances) is dropped, never passed. Fields for which `isKept`
   * is true are returned as they are.
   */
  value(value: unknown, isKept?: IsKept): unknown;
  /** What comes next may make a secret of the end of this text. Costs a dozen times `text`. */
  hasOpenEnd(text: string): boolean;
}

const MAX_DEPTH = 32;
/** A replacement can bring out another match beside it; more rounds than this were never seen. */
const MAX_ROUNDS = 4;
/** Field names repeat from event to event; this many short ones are remembered. */
const MAX_KNOWN_NAMES = 500;
const MAX_KNOWN_NAME_LENGTH = 100;
/** The shortest that any rule finds: `pwd=abc`. */
const MIN_LENGTH = 7;
const TOO_DEEP = '[dropped: too deep]';
const NO_DATA = '[dropped: not plain data]';

const patterns = [
  ...structuredSecrets,
  ...httpSecrets,
  ...providerKeys,
  ...assignedSecrets,
  ...commandLineSecrets,
  base64Credentials,
];
const applyToHidden = compileRules(patterns);

function applyPatterns(text: string): string {
  const hidden = hideEscapes(text);
  const shown = applyToHidden(hidden);
  return shown === hidden ? text : showEscapes(shown);
}

/** `secrets`: the project's own, matched exactly, also URL-encoded, base64 and JSON-escaped. */
export function createRedactor({
  secrets,
  maxDepth = MAX_DEPTH,
}: {
  secrets: string[];
  maxDepth?: number;
}): Redactor {
  const forms = secretForms(secrets);
  const exact = exactSecrets(forms);
  const applyExact = exact ? compileRules([exact]) : (text: string) => text;
  const minLength = exact ? 1 : MIN_LENGTH;

  function text(input: string): string {
    // What leaves is stored, and one text that cannot be would hold up all that is sent with it.
    let before = sanitizeForPostgres(input);
    if (before.length < minLength) return before;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const after = applyPatterns(applyExact(before));
      if (after === before) break;
      before = after;
    }
    return before;
  }

  function value(input: unknown, isKept: IsKept, ancestors: object[]): unknown {
    if (typeof input === 'string') return text(input);
    if (input === null || ['undefined', 'number', 'boolean'].includes(typeof input)) return input;
    if (input instanceof Date) return input;
    if (!Array.isArray(input) && !isPlainObject(input)) return NO_DATA;
    if (ancestors.length >= maxDepth || ancestors.includes(input)) return TOO_DEEP;
    const path = [...ancestors, input];
    if (Array.isArray(input))
      return withoutSecretWords(input).map((item) => value(item, isKept, path));
    return Object.fromEntries(
      Object.entries(withoutNamedValue(input)).map(([name, item]) => [
        fieldName(name),
        isKept(input, name) ? item : named(name, item, isKept, path),
      ]),
    );
  }

  /** An argv is redacted as the line it is: which word is a secret may be said by one before it. */
  function withoutSecretWords(items: unknown[]): unknown[] {
    const isArgv = items.length > 1 && items.every((item) => typeof item === 'string');
    if (!isArgv || !items.some((item) => item.startsWith('-'))) return items;
    const line = JSON.stringify(items);
    const shown = text(line);
    return shown === line ? items : (readWords(shown, items.length) ?? items);
  }

  const knownNames = new Map<string, string>();
  function fieldName(name: string): string {
    const known = knownNames.get(name);
    if (known !== undefined) return known;
    const shown = text(name);
    if (knownNames.size < MAX_KNOWN_NAMES && name.length <= MAX_KNOWN_NAME_LENGTH) {
      knownNames.set(name, shown);
    }
    return shown;
  }

  function named(name: string, item: unknown, isKept: IsKept, ancestors: object[]): unknown {
    const isSecret = typeof item === 'string' && isSecretName(name) && isSecretValue(name, item);
    return isSecret ? assignedMarker : value(item, isKept, ancestors);
  }

  const endings = { redact: text, mayBeginExactSecret: (end: string) => mayBegin(forms, end) };
  return {
    text,
    value: (input, isKept = () => false) => value(input, isKept, []),
    hasOpenEnd: (input) => hasOpenEnd(input, endings),
  };
}

/** The items of an array in JSON; null when a replacement went over the end of one. */
function readWords(json: string, count: number): unknown[] | null {
  try {
    const items: unknown = JSON.parse(json);
    return Array.isArray(items) && items.length === count ? items : null;
  } catch {
    return null;
  }
}

/** Of a container's or task's definition: `{name: 'DB_PASSWORD', value: '…'}`. */
function withoutNamedValue(input: Record<string, unknown>): Record<string, unknown> {
  const name = input.name ?? input.Name ?? input.key ?? input.Key;
  if (typeof name !== 'string' || !isSecretName(name)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([field, item]) => {
      const isSecret =
        /^value$/i.test(field) && typeof item === 'string' && isSecretValue(name, item);
      return [field, isSecret ? assignedMarker : item];
    }),
  );
}

function isPlainObject(input: unknown): input is Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return false;
  const prototype = Object.getPrototypeOf(input);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
