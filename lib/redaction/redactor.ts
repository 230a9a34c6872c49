/**
 * Takes secrets out of text before it is stored, sent or shown. Own patterns: @secretlint/core
 * is asynchronous, reports by file and knows neither assigned nor exact secrets.
 */
import { storableText } from '../storable';
import { assignedMarker, assignedSecrets, isSecretName, isSecretValue } from './assigned-secrets';
import { base64Credentials } from './base64-credentials';
import { exactSecrets, mayBegin, secretForms } from './exact-secrets';
import { hasOpenEnd } from './open-end';
import { providerKeys } from './provider-keys';
import { applyRule, type Rule } from './rule';
import { structuredSecrets } from './structured-secrets';

export interface Redactor {
  /** The text with every secret shown as `[redacted: kind]`. Idempotent. */
  text(text: string): string;
  /**
   * The same for JSON-like data, keys included. What is nested too deeply, cyclic or no plain
   * data (functions, buffers, class instances) is dropped, never passed.
   */
  value(value: unknown): unknown;
  /** What comes next may make a secret of the end of this text. Costs a dozen times `text`. */
  hasOpenEnd(text: string): boolean;
}

const MAX_DEPTH = 32;
/** A replacement can bring out another match beside it; more rounds than this were never seen. */
const MAX_ROUNDS = 4;
/** Field names repeat from event to event; this many are remembered. */
const MAX_KNOWN_NAMES = 500;
const TOO_DEEP = '[dropped: too deep]';
const NO_DATA = '[dropped: not plain data]';

/** `secrets`: the project's own, matched exactly, also URL-encoded, base64 and JSON-escaped. */
export function createRedactor({ secrets }: { secrets: string[] }): Redactor {
  const forms = secretForms(secrets);
  const exact = exactSecrets(forms);
  const rules: Rule[] = [
    ...(exact ? [exact] : []),
    ...structuredSecrets,
    ...providerKeys,
    ...assignedSecrets,
    base64Credentials,
  ];

  function text(input: string): string {
    // What leaves is stored, and one text that cannot be would hold up all that is sent with it.
    let before = storableText(input);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const after = rules.reduce((current, rule) => applyRule(rule, current), before);
      if (after === before) break;
      before = after;
    }
    return before;
  }

  function value(input: unknown, ancestors: object[]): unknown {
    if (typeof input === 'string') return text(input);
    if (input === null || ['undefined', 'number', 'boolean'].includes(typeof input)) return input;
    if (input instanceof Date) return input;
    if (!Array.isArray(input) && !isPlainObject(input)) return NO_DATA;
    if (ancestors.length >= MAX_DEPTH || ancestors.includes(input)) return TOO_DEEP;
    const path = [...ancestors, input];
    if (Array.isArray(input)) return input.map((item) => value(item, path));
    return Object.fromEntries(
      Object.entries(input).map(([name, item]) => [fieldName(name), named(name, item, path)]),
    );
  }

  const knownNames = new Map<string, string>();
  function fieldName(name: string): string {
    const known = knownNames.get(name);
    if (known !== undefined) return known;
    const shown = text(name);
    if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, shown);
    return shown;
  }

  function named(name: string, item: unknown, ancestors: object[]): unknown {
    const isSecret = typeof item === 'string' && isSecretName(name) && isSecretValue(name, item);
    return isSecret ? assignedMarker : value(item, ancestors);
  }

  const endings = { redact: text, mayBeginExactSecret: (end: string) => mayBegin(forms, end) };
  return {
    text,
    value: (input) => value(input, []),
    hasOpenEnd: (input) => hasOpenEnd(input, endings),
  };
}

function isPlainObject(input: unknown): input is Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return false;
  const prototype = Object.getPrototypeOf(input);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
