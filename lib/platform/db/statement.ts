import pg from 'pg';
import { Prisma } from '@/generated/prisma/client';

const MAX_NAMED_STATEMENTS = 500;

// On globalThis, since Next loads a module once per bundle, and a connection knows one text by one
// name.
const held = globalThis as unknown as { tierwatchStatements?: Map<string, string> };
held.tierwatchStatements ??= new Map();
const names = held.tierwatchStatements;

/**
 * Returns the name under which a connection prepares a statement once. The server never frees one,
 * so their number is bounded: '' means without a name. Neither has a text that starts with a line
 * break: PostgreSQL plans it for its values each time, which pays for lists and analytics.
 */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= MAX_NAMED_STATEMENTS || !/^(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(text)) {
    return '';
  }
  const name = `q${names.size}`;
  names.set(text, name);
  return name;
}

/** Returns a statement whose rows have the values that Prisma gives: a Date, a bigint, a Decimal. */
export function asStatement({
  text,
  values,
}: {
  text: string;
  values: readonly unknown[];
}): pg.QueryConfig {
  return {
    name: statementName(text),
    text,
    values: values.map(asParameter),
    types: { getTypeParser: parserOf },
  };
}

/**
 * Returns a value as it is sent. A time is UTC: pg would write it in the process's time zone, and a
 * `date` could be another day. What can't be sent has to fail here, since pg would forget on the
 * way which statements the connection has prepared.
 */
function asParameter(value: unknown): unknown {
  if (value === undefined) throw new Error('A value of a statement is missing.');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asParameter);
  const isJson = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  return isJson ? JSON.stringify(value) : value;
}

type Parse = (text: string) => unknown;

const { builtins, getTypeParser } = pg.types;
const TEXT_ARRAY: number = 1009;

const instant: Parse = (text) => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
const instantOfUtc: Parse = (text) => new Date(`${text.replace(' ', 'T')}Z`);
const day: Parse = (text) => new Date(text);
const decimal: Parse = (text) => new Prisma.Decimal(text);

/** Types that pg reads otherwise: a bigint as text, a timestamp in the process's time zone. */
const parsers = new Map<number, Parse>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, decimal],
  [builtins.DATE, day],
  [builtins.TIMESTAMP, instantOfUtc],
  [builtins.TIMESTAMPTZ, instant],
  // Their array types.
  [1016, ofEach(BigInt)],
  [1231, ofEach(decimal)],
  [1182, ofEach(day)],
  [1115, ofEach(instantOfUtc)],
  [1185, ofEach(instant)],
]);

function ofEach(parse: Parse): Parse {
  const asTexts: Parse = getTypeParser(TEXT_ARRAY);
  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each);
    return typeof value === 'string' ? parse(value) : null;
  };
  return (text) => each(asTexts(text));
}

function parserOf(type: number): Parse {
  return parsers.get(type) ?? getTypeParser(type);
}
