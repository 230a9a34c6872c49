import { describe, expect, it } from 'vitest';
import { escapeHidden, visibleText } from './visible-text';

describe('visibleText', () => {
  it.each([
    ['plain\ttext\nnext', 'plain\ttext\nnext'],
    ['a\r\nb', 'a\nb'],
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['over\rwritten', 'over␍written'],
    ['\u202egpj', '<U+202E>gpj'],
    ['\u2066isolated\u2069', '<U+2066>isolated<U+2069>'],
    ['c1 \u009b31m', 'c1 <U+009B>31m'],
    ['pay\u200bments', 'pay<U+200B>ments'],
    ['👩\u200d🔧 и שלום', '👩\u200d🔧 и שלום'],
  ])('[SEC-3.4] of %j is %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe('escapeHidden', () => {
  it('[SEC-3.4] has no character that acts, and parses to the same value', () => {
    const value = { name: '\u202egpj\u0007', text: ['\u001b]0;title\u0007', '\u009b31m'] };
    const text = escapeHidden(JSON.stringify(value));
    expect(text).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
