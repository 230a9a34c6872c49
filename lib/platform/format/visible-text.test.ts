import { describe, expect, it } from 'vitest';
import { terminalText } from './terminal-text';

describe('terminalText', () => {
  it.each([
    ['plain\ttext\nnext', 'plain\ttext\nnext'],
    ['a\r\nb', 'a\nb'],
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['over\rwritten', 'over␍written'],
    ['\u202egpj', '<U+202E>gpj'],
    ['c1 \u009b31m', 'c1 <U+009B>31m'],
  ])('of %j is %j', (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });
});
