import { describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database-away';

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
