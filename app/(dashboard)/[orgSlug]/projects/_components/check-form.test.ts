import { describe, expect, it } from 'vitest';
import {
  conditionOf,
  expectJsonOf,
  headersOfText,
  listOfText,
  numbersOfText,
  operandText,
  textOfHeaders,
  textOfList,
  withoutEmpty,
} from './check-form';

it('leaves out what isn’t set, and keeps an empty target', () => {
  const check = { type: 'http', target: '', timeoutSeconds: 5 } as const;
  const filled = { ...check, expectText: '', exitCodes: [], everySeconds: undefined, failDays: 0 };
  expect(withoutEmpty(filled)).toEqual({ ...check, failDays: 0 });
});

it('reads lists, numbers and headers as it shows them', () => {
  expect(listOfText(textOfList(['a.test', 'b.test']))).toEqual(['a.test', 'b.test']);
  expect(listOfText(' , ')).toBeUndefined();
  expect(numbersOfText('0, 2')).toEqual([0, 2]);
  expect(numbersOfText('x')).toEqual([Number.NaN]);
  const headers = [
    { name: 'Accept', value: 'application/json' },
    { name: 'X-Time', value: '12:30' },
  ];
  expect(headersOfText(textOfHeaders(headers))).toEqual(headers);
  expect(headersOfText('no colon')).toEqual([{ name: 'no colon', value: '' }]);
  expect(headersOfText('\n')).toBeUndefined();
});

describe('[INC-1.1] a JSON condition is read as it is shown', () => {
  it.each([
    [{ path: '$.a', equals: 'ok' }, 'equals', 'ok'],
    [{ path: '$.a', equals: 12 }, 'equals', '12'],
    [{ path: '$.a', equals: '12' }, 'equals', '"12"'],
    [{ path: '$.a', equals: true }, 'equals', 'true'],
    [{ path: '$.a', equals: null }, 'equals', 'null'],
    [{ path: '$.a', oneOf: ['a', 1, 'true'] }, 'oneOf', 'a, 1, "true"'],
    [{ path: '$.a', atLeast: 2.5 }, 'atLeast', '2.5'],
    [{ path: '$.a', atMost: 0 }, 'atMost', '0'],
    [{ path: '$.a', exists: true }, 'exists', ''],
    [{ path: '$.a', exists: false }, 'missing', ''],
  ] as const)('%j', (expected, condition, text) => {
    const own = { ...expected, ...('oneOf' in expected ? { oneOf: [...expected.oneOf] } : {}) };
    expect(conditionOf(own as never)).toBe(condition);
    expect(operandText(own as never)).toBe(text);
    expect(expectJsonOf('$.a', condition, text)).toEqual(expected);
  });

  it('is none without a path', () => {
    expect(expectJsonOf('', 'equals', 'ok')).toBeUndefined();
  });
});
