import { describe, expect, it } from 'vitest';
import { parseAnsi } from './ansi';

const ESC = '\u001b';

describe('terminal colours', () => {
  it.each([
    ['31', 'bad'],
    ['32', 'ok'],
    ['33', 'wait'],
    ['34', 'run'],
    ['35', 'tier'],
    ['36', 'link'],
    ['90', 'grey'],
    ['91', 'bad'],
    ['37', null],
  ])('code %s is %s', (code, color) => {
    expect(parseAnsi(`${ESC}[${code}mword`)).toEqual([{ text: 'word', color, isBold: false }]);
  });

  it('takes bold and colour together and resets both', () => {
    expect(parseAnsi(`a${ESC}[1;31mb${ESC}[mc`)).toEqual([
      { text: 'a', color: null, isBold: false },
      { text: 'b', color: 'bad', isBold: true },
      { text: 'c', color: null, isBold: false },
    ]);
  });

  it('does not read the numbers of a 256-colour code as colours', () => {
    expect(parseAnsi(`${ESC}[38;5;31mx${ESC}[48;2;31;32;33my`)).toEqual([
      { text: 'x', color: null, isBold: false },
      { text: 'y', color: null, isBold: false },
    ]);
  });

  it('leaves codes that move the cursor in the text', () => {
    expect(parseAnsi(`${ESC}[2Kx`)[0]?.text).toBe(`${ESC}[2Kx`);
  });
});
