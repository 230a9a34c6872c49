import { describe, expect, it } from 'vitest';
import { isDatabaseAway, isDatabaseDiskFull } from './database-away';

const withCode = (code: string) => Object.assign(new Error('no'), { code });

describe('isDatabaseAway', () => {
  it.each([
    ['a socket that nobody listens on', withCode('ECONNREFUSED')],
    ['PostgreSQL that starts', withCode('57P03')],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    [
      'a raw query whose connection PostgreSQL closed',
      Object.assign(
        new Error('Raw query failed. Code: `N/A`. Message: `Server has closed the connection.`'),
        { code: 'P2010' },
      ),
    ],
    [
      'a database that is closed to connections',
      new Error(
        'Raw query failed. Code: `55000`. Message: `database "tierwatch" is not currently accepting connections`',
      ),
    ],
    ['what another error was caused by', new Error('no', { cause: withCode('57P01') })],
    [
      'a raw query while PostgreSQL recovers',
      Object.assign(
        new Error(
          'Raw query failed. Code: `57P03`. Message: `the database system is not yet accepting connections`',
        ),
        { code: 'P2010' },
      ),
    ],
  ])('is true of %s', (_what, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['a value that is there already', withCode('P2002')],
    ['a raw query that is wrong', new Error('Raw query failed. Code: `42601`. Message: `syntax`')],
    ['no error at all', null],
  ])('is false of %s', (_what, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

describe('isDatabaseDiskFull', () => {
  it.each<[string, unknown, boolean]>([
    ['PostgreSQL’s code', withCode('53100'), true],
    ['what another error was caused by', new Error('no', { cause: withCode('53100') }), true],
    [
      'a raw query',
      new Error('Raw query failed. Code: `53100`. Message: `could not extend`'),
      true,
    ],
    ['a database that is away', withCode('57P01'), false],
    ['no error at all', null, false],
  ])('[FLT-3.3] knows %s', (_what, error, expected) => {
    expect(isDatabaseDiskFull(error)).toBe(expected);
    if (expected) expect(isDatabaseAway(error)).toBe(false);
  });
});
