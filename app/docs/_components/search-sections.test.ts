import { describe, expect, it } from 'vitest';
import { type IndexedSection, searchSections } from './search-sections';

const section = (page: string, heading: string | null, text: string): IndexedSection => ({
  page,
  heading,
  href: `/docs/${page}#${heading}`,
  text,
});

const SECTIONS = [
  section('Runners', null, 'A runner starts the agent.'),
  section('Runners', 'Timeouts', 'An enrollment token expires after 1 h.'),
  section('Webhooks', 'Events', 'runner.offline is sent when a runner disconnects.'),
  section('Tiers', 'Cooldowns', 'Set TIERWATCH_DENIED_CLI_VERSIONS to `<2.1.330`.'),
];

const found = (query: string) =>
  searchSections(SECTIONS, query).map(({ page, heading }) => `${page} ${heading ?? ''}`.trim());

describe('search in the manual', () => {
  it.each([
    ['runner', ['Runners', 'Runners Timeouts', 'Webhooks Events']],
    ['RUNNER token', ['Runners Timeouts']],
    ['offline', ['Webhooks Events']],
    ['cool', ['Tiers Cooldowns']],
    ['tierwatch_denied', ['Tiers Cooldowns']],
    ['<2.1', ['Tiers Cooldowns']],
    ['fline', []],
    ['  ', []],
  ])('%s finds %j', (query, sections) => {
    expect(found(query)).toEqual(sections);
  });

  it('shows the words around the match', () => {
    const text = `${'word '.repeat(30)}needle ${'more '.repeat(30)}`;
    const [hit] = searchSections([section('Page', 'Part', text)], 'needle');
    expect(hit?.excerpt).toMatch(/^…word .*needle more .*…$/);
  });
});
