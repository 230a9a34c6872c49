import { expect, it } from 'vitest';
import { writeCsv } from './csv';

it.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['  =1+1', "'  =1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['+cmd', "'+cmd"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['', ''],
])('%j is written as %j', (text, written) => {
  expect(writeCsv([[text]])).toBe(`${written}\r\n`);
});

it('keeps numbers as numbers, also negative ones, and unknown as empty', () => {
  expect(
    writeCsv([
      ['day', 'usd'],
      ['21 Nov', -2.5],
      ['22 Nov', null],
    ]),
  ).toBe('day,usd\r\n21 Nov,-2.5\r\n22 Nov,\r\n');
});

it('[SEC-3.4] shows what would act on a terminal that the file is printed to', () => {
  expect(
    writeCsv([
      ['\u001b[2J\u202egpj', '\u009b=1'],
      ['\r=1', 2],
    ]),
  ).toBe("␛[2J<U+202E>gpj,<U+009B>=1\r\n'␍=1,2\r\n");
});
