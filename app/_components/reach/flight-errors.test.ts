import { describe, expect, it } from 'vitest';
import { hasServerError } from './flight-errors';

const encode = (text: string) => new TextEncoder().encode(text);
const bodyOf = (text: string) => encode(text).buffer;
const textRow = (id: string, text: string) => `${id}:T${encode(text).length.toString(16)},${text}`;

const MODEL = '0:{"f":["$","main",null,{"children":"$L1"}]}\n';
const ERROR = '1:E{"digest":"2876539812"}\n';

describe('hasServerError', () => {
  it.each<[string, string, boolean]>([
    ['a whole page', `${MODEL}1:["$","p",null,{"children":"fine"}]\n`, false],
    ['an empty answer', '', false],
    ['a part that failed', MODEL + ERROR, true],
    ['a part that failed after a long text', MODEL + textRow('2', 'ü\n'.repeat(90)) + ERROR, true],
    ['a log that prints an error row', MODEL + textRow('2', `x\n${ERROR}`), false],
    ['a string that prints an error row', `${MODEL}2:${JSON.stringify(`x\n${ERROR}`)}\n`, false],
    ['a page that is gone', `${MODEL}1:E{"digest":"NEXT_HTTP_ERROR_FALLBACK;404"}\n`, false],
    ['a redirect', `${MODEL}1:E{"digest":"NEXT_REDIRECT;replace;/sign-in;307;"}\n`, false],
    ['a module and hints', '1:I["a.js",["x"],"default"]\n:HL["/a.css","style"]\n', false],
    ['an error in the last row, without an end of line', `${MODEL}1:E{"digest":"1"}`, true],
  ])('%s: %#', (_what, answer, expected) => {
    expect(hasServerError(bodyOf(answer))).toBe(expected);
  });
});
