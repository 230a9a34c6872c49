import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SHOWN_SETTINGS } from '@/lib/projects/settings';
import { DifferenceList } from './difference-list';
import { SettingsProvider } from './settings-context';

const drawn = (path: string, before: unknown, after: unknown) =>
  renderToStaticMarkup(
    <SettingsProvider settings={SHOWN_SETTINGS}>
      <DifferenceList changes={[{ path, before, after }]} />
    </SettingsProvider>,
  );
const inTag = (tag: string, markup: string) =>
  [...markup.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text);

describe('what changed between two versions', () => {
  it('[SAS-2.1] is shown by words for a prompt', () => {
    const markup = drawn(
      'tiers.0.prompt',
      'Check every service.\nLook at the disks first, and say how full they are.',
      'Check every service.\nLook at the memory first, and say how full it is.',
    );
    expect(inTag('del', markup)).toEqual(['disks', 'they', 'are']);
    expect(inTag('ins', markup)).toEqual(['memory', 'it', 'is']);
    expect(markup).toContain('Tier 1 · prompt');
  });

  it('is shown as a whole for a short value', () => {
    const markup = drawn('tiers.0.model', 'haiku', 'sonnet');
    expect([inTag('del', markup), inTag('ins', markup)]).toEqual([['haiku'], ['sonnet']]);
  });

  it('holds no password of a check, however long its target is', () => {
    const target = (host: string) =>
      `postgres://app:hunter22@${host}.databases.internal.example.com:5432/shop?sslmode=verify-full`;
    const markup = drawn('services.0.checks.0.target', target('one'), target('two'));
    expect(markup).toContain('two');
    expect(markup).not.toContain('hunter22');
  });
});
