import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../globals.css', import.meta.url), 'utf8');
const GROUNDS = ['canvas', 'surface', 'sunken', 'hover'] as const;
const TONES = ['ok', 'run', 'wait', 'bad', 'idle'] as const;

function readTokens(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {\n  color-scheme`);
  const block = css.slice(start, css.indexOf('\n}', start));
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function ratio(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const pairs: { ink: string; ground: string; atLeast: number }[] = [
  ...GROUNDS.flatMap((ground) => [
    ...['text', 'text-2', 'text-3', 'link'].map((ink) => ({ ink, ground, atLeast: 4.5 })),
    ...['control', 'focus', ...TONES.map((tone) => `${tone}-mark`)].map((ink) => ({
      ink,
      ground,
      atLeast: 3,
    })),
    ...TONES.map((tone) => ({ ink: `${tone}-fg`, ground, atLeast: 4.5 })),
    { ink: 'tier-fg', ground, atLeast: 4.5 },
    ...['tier-1', 'tier-2', 'tier-3'].map((ink) => ({ ink, ground, atLeast: 3 })),
  ]),
  ...TONES.flatMap((tone) => [
    { ink: `${tone}-fg`, ground: `${tone}-bg`, atLeast: 4.5 },
    { ink: `${tone}-mark`, ground: `${tone}-bg`, atLeast: 3 },
    { ink: 'text-3', ground: `${tone}-bg`, atLeast: 4.5 },
  ]),
  { ink: 'tier-fg', ground: 'tier-bg', atLeast: 4.5 },
  { ink: 'tier-1', ground: 'tier-bg', atLeast: 3 },
  { ink: 'on-ink', ground: 'ink', atLeast: 4.5 },
  { ink: 'on-ink', ground: 'ink-hover', atLeast: 4.5 },
];

describe.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('colour tokens, %s', (_theme, selector) => {
  const tokens = readTokens(selector);

  it.each(pairs)('$ink on $ground reaches $atLeast : 1', ({ ink, ground, atLeast }) => {
    const [a, b] = [tokens.get(ink), tokens.get(ground)];
    expect(a, ink).toBeDefined();
    expect(b, ground).toBeDefined();
    expect(ratio(a ?? '', b ?? '')).toBeGreaterThanOrEqual(atLeast);
  });

  it('keeps neighbouring tiers apart by 1.7 : 1 in luminance', () => {
    const [one, two, three] = ['tier-1', 'tier-2', 'tier-3'].map((name) => tokens.get(name) ?? '');
    expect(ratio(one ?? '', two ?? '')).toBeGreaterThanOrEqual(1.7);
    expect(ratio(two ?? '', three ?? '')).toBeGreaterThanOrEqual(1.7);
  });
});

it('defines the same tokens in both themes', () => {
  expect([...readTokens('.dark').keys()]).toEqual([...readTokens(':root').keys()]);
});
