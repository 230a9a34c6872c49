/** What the fields of a check's form show and read: lists, headers and JSON conditions as text. */
import type { JsonCondition as ExpectJson, Header } from '@/lib/protocol/checks/check-kind';
import type { CheckSpec } from '@/lib/protocol/spec';

/** How a value can be judged; a check may have several conditions, and the form shows the first. */
export const JSON_CONDITIONS = {
  equals: 'equals',
  oneOf: 'is one of',
  atLeast: 'is at least',
  atMost: 'is at most',
  exists: 'exists',
  missing: 'does not exist',
} as const;
export type JsonCondition = keyof typeof JSON_CONDITIONS;

/** Absent where nothing is set, so that the default applies. */
export function withoutEmpty(check: CheckSpec): CheckSpec {
  const isSet = (value: unknown) =>
    value !== null &&
    value !== undefined &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(check).filter(([key, value]) => key === 'target' || isSet(value));
  return Object.fromEntries(entries) as CheckSpec;
}

/** `a, b` */
export function textOfList(values: readonly (string | number)[] | undefined): string {
  return (values ?? []).join(', ');
}

export function listOfText(text: string): string[] | undefined {
  const values = text.split(/[,\n]/).map((each) => each.trim());
  const given = values.filter((each) => each !== '');
  return given.length > 0 ? given : undefined;
}

/** What isn't a number becomes NaN, which the form refuses. */
export function numbersOfText(text: string): number[] | undefined {
  return listOfText(text)?.map(Number);
}

/** A header per line, `Accept: application/json`. */
export function textOfHeaders(headers: Header[] | undefined): string {
  return (headers ?? []).map(({ name, value }) => `${name}: ${value}`).join('\n');
}

export function headersOfText(text: string): Header[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const headers = lines.map((line) => {
    const [, name = line, value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    return { name: name.trim(), value: value.trim() };
  });
  return headers.length > 0 ? headers : undefined;
}

export function conditionOf(expected: ExpectJson | undefined): JsonCondition {
  if (expected?.exists !== undefined) return expected.exists ? 'exists' : 'missing';
  const keys = ['oneOf', 'atLeast', 'atMost'] as const;
  return keys.find((key) => expected?.[key] !== undefined) ?? 'equals';
}

/** Whether a condition compares with a value. */
export function hasOperand(condition: JsonCondition): boolean {
  return condition !== 'exists' && condition !== 'missing';
}

/** The value that a condition compares with, as JSON where the text alone would mean another value. */
export function operandText(expected: ExpectJson | undefined): string {
  switch (conditionOf(expected)) {
    case 'oneOf':
      return (expected?.oneOf ?? []).map(textOfScalar).join(', ');
    case 'atLeast':
      return String(expected?.atLeast ?? '');
    case 'atMost':
      return String(expected?.atMost ?? '');
    case 'equals':
      return expected?.equals === undefined ? '' : textOfScalar(expected.equals);
    default:
      return '';
  }
}

/** @param text of the value; empty for conditions without one */
export function expectJsonOf(
  path: string,
  condition: JsonCondition,
  text: string,
): ExpectJson | undefined {
  if (path === '') return undefined;
  switch (condition) {
    case 'exists':
      return { path, exists: true };
    case 'missing':
      return { path, exists: false };
    case 'oneOf':
      return { path, oneOf: listOfText(text)?.map(scalarOfText) };
    case 'atLeast':
      return { path, atLeast: numberOfText(text) };
    case 'atMost':
      return { path, atMost: numberOfText(text) };
    case 'equals':
      return { path, equals: text === '' ? undefined : scalarOfText(text) };
  }
}

type Scalar = string | number | boolean | null;

function numberOfText(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

function scalarOfText(text: string): Scalar {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return value as Scalar;
  } catch {
    // A text without quotes.
  }
  return text;
}

function textOfScalar(value: Scalar): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return scalarOfText(value) === value && !value.includes(',') ? value : JSON.stringify(value);
}

export interface CheckProps {
  /** The path of the check: `services.0.checks.1`. */
  path: string;
  check: CheckSpec;
  onChange: (check: CheckSpec) => void;
  errorAt: (path: string) => string | undefined;
}

/** Reports a check with some of its options changed; one that is empty is left out. */
export function changeCheck({ check, onChange }: CheckProps, changes: Partial<CheckSpec>): void {
  onChange(withoutEmpty({ ...check, ...changes }));
}
