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
/** As long as an id, and as many as a large batch of events has. */
const MAX_REPEATED_LENGTH = 40;
const MAX_CLEAN_TEXTS = 2_000;
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

interface FieldName {
  /** As it is stored. */
  shown: string;
  /** Its value is one. */
  isSecret: boolean;
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

  // Ids, times and kinds repeat from event to event. Only texts that hold no secret are remembered.
  const cleanTexts = new Set<string>();
  function repeatedText(input: string): string {
    if (input.length > MAX_REPEATED_LENGTH) return text(input);
    if (cleanTexts.has(input)) return input;
    const shown = text(input);
    if (shown === input && cleanTexts.size < MAX_CLEAN_TEXTS) cleanTexts.add(input);
    return shown;
  }

  /** `ancestors` is one list for the whole walk: an object is pushed before its parts and popped after. */
  function value(input: unknown, isKept: IsKept, ancestors: object[]): unknown {
    if (typeof input === 'string') return repeatedText(input);
    if (input === null || typeof input === 'number' || typeof input === 'boolean') return input;
    if (input === undefined || input instanceof Date) return input;
    if (!Array.isArray(input) && !isPlainObject(input)) return NO_DATA;
    if (ancestors.length >= maxDepth || ancestors.includes(input)) return TOO_DEEP;
    ancestors.push(input);
    const shown = Array.isArray(input)
      ? withoutSecretWords(input).map((item) => value(item, isKept, ancestors))
      : fields(input, isKept, ancestors);
    ancestors.pop();
    return shown;
  }

  function fields(input: Record<string, unknown>, isKept: IsKept, ancestors: object[]): unknown {
    const entries = Object.entries(withoutNamedValue(input));
    for (const entry of entries) {
      const [name, item] = entry;
      const { shown, isSecret } = fieldName(name);
      entry[0] = shown;
      if (isKept(input, name)) continue;
      const isHidden = isSecret && typeof item === 'string' && isSecretValue(name, item);
      entry[1] = isHidden ? assignedMarker : value(item, isKept, ancestors);
    }
    return Object.fromEntries(entries);
  }

  /** An argv is redacted as the line it is: which word is a secret may be said by one before it. */
  function withoutSecretWords(items: unknown[]): unknown[] {
    const isArgv = items.length > 1 && items.every((item) => typeof item === 'string');
    if (!isArgv || !items.some((item) => item.startsWith('-'))) return items;
    const line = JSON.stringify(items);
    const shown = text(line);
    return shown === line ? items : (readWords(shown, items.length) ?? items);
  }

  const knownNames = new Map<string, FieldName>();
  function fieldName(name: string): FieldName {
    const known = knownNames.get(name);
    if (known !== undefined) return known;
    const field = { shown: text(name), isSecret: isSecretName(name) };
    if (knownNames.size < MAX_KNOWN_NAMES && name.length <= MAX_KNOWN_NAME_LENGTH) {
      knownNames.set(name, field);
    }
    return field;
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
