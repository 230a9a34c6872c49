import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { HopLine } from './hop-line';
import { type StatusKind, stateLook, states } from './states';
import { StatusBadge } from './status-badge';
import { TierMark } from './tier-mark';

/** What a screen reader gets of the markup: its text, and the names of images. */
function spoken(html: string): string {
  return html
    .replace(/<(\w+)[^>]*aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replace(/<title>.*?<\/title>/g, '')
    .replace(/<[^>]*aria-label="([^"]*)"[^>]*>/g, '$1')
    .replace(/<[^>]+>/g, '')
    .trim();
}

describe('tier marks', () => {
  it.each(['glyph', 'short', 'long'] as const)('the %s form is named in full', (form) => {
    const html = renderToStaticMarkup(createElement(TierMark, { tier: 2, form }));
    expect(spoken(html)).toBe('Tier 2 · Safe remediation');
  });

  it.each([1, 2, 3] as const)('tier %i fills as many bars', (tier) => {
    const html = renderToStaticMarkup(createElement(TierMark, { tier }));
    expect(html.match(/fill="currentColor"/g)).toHaveLength(tier);
  });
});

describe('status badges', () => {
  const all = (Object.keys(states) as StatusKind[]).flatMap((kind) =>
    Object.keys(states[kind]).map((state) => [kind, state] as const),
  );

  it.each(all)('%s %s has a word and an icon', (kind, state) => {
    const look = stateLook(kind, state);
    const html = renderToStaticMarkup(
      // The table is walked by name here, so the pair is not known to the compiler.
      createElement(StatusBadge, { kind, state } as Parameters<typeof StatusBadge>[0]),
    );
    expect(spoken(html)).toContain(look.word);
    expect(html).toContain('<svg');
  });

  it('a fix without a word on it is not confirmed yet', () => {
    const html = renderToStaticMarkup(
      createElement(StatusBadge, { kind: 'chain', state: 'fixed' }),
    );
    expect(spoken(html)).toBe('Fixednot confirmed yet');
  });

  it('a reason is part of it', () => {
    const html = renderToStaticMarkup(
      createElement(StatusBadge, {
        kind: 'chain',
        state: 'skipped',
        reason: '#8 was still running at 14:20',
      }),
    );
    expect(spoken(html)).toContain('#8 was still running at 14:20');
  });

  it('shows the key of a state that it does not know', () => {
    expect(stateLook('chain', 'half_done').word).toBe('half done');
  });
});

it.each([
  ['resume', 'resumed', 1, null],
  ['handoff', 'handoff', 1, '6 4'],
  ['reconcile', 'observe-only check first', 1, '1.5 4'],
  ['refuse', 'refused', 2, null],
] as const)('a %s hop is named and drawn', (mode, name, pieces, dashes) => {
  const html = renderToStaticMarkup(createElement(HopLine, { mode }));
  expect(spoken(html)).toBe(name);
  expect(html.match(/<line/g)).toHaveLength(pieces);
  expect(/stroke-dasharray="([^"]*)"/.exec(html)?.[1] ?? null).toBe(dashes);
});
