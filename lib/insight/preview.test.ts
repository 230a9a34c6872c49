import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { previewTier } from './preview';

const config = {
  ...DEFAULT_CONFIG,
  services: [
    {
      name: 'web',
      checks: [{ type: 'container' as const, target: 'shop-web-1', timeoutSeconds: 5 }],
    },
  ],
};
const project = { name: 'Checkout', config };

function flagValue(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at === -1 ? undefined : argv[at + 1];
}

describe('the preview of a tier', () => {
  it('[SAS-2.1] is the argv that the harness starts, with the rules of the draft', () => {
    const { argv } = previewTier(project, 2, null);
    expect(argv.slice(0, 2)).toEqual(['claude', '-p']);
    expect(flagValue(argv, '--model')).toBe('sonnet');
    expect(flagValue(argv, '--permission-mode')).toBe('dontAsk');
    expect(flagValue(argv, '--tools')).toBe('Bash,Read,Grep,Write,Edit');
    const { permissions } = JSON.parse(flagValue(argv, '--settings') ?? '');
    expect(permissions.allow).toContain('Bash(docker restart shop-web-1)');
    expect(permissions.deny).toContain('Bash(ansible-playbook:*)');
    expect(flagValue(argv, '--max-turns')).toBe('80');
  });

  it('resumes the tier below, or names the handoff file, as the edge says', () => {
    expect(flagValue(previewTier(project, 2, null).argv, '--resume')).toBe(
      '<conversation of tier 1>',
    );
    const handedOff = {
      ...project,
      config: { ...config, continuation: { tier1To2: 'handoff', tier2To3: 'resume' } as const },
    };
    expect(previewTier(handedOff, 2, null).argv).not.toContain('--resume');
    expect(previewTier(handedOff, 1, null).argv).toContain('--add-dir');
  });

  it('shows words where a start has ids and the long schema', () => {
    const { argv } = previewTier(project, 1, null);
    expect(flagValue(argv, '--session-id')).toBe('<new id>');
    expect(flagValue(argv, '--json-schema')).toMatch(/^<report schema, [\d,]+ characters>$/);
  });

  it('uses the project’s own prompt', () => {
    const [one, two, three] = config.tiers;
    const own = { ...one, prompt: 'Look at {{project}} twice.' };
    const preview = previewTier(
      { ...project, config: { ...config, tiers: [own, two, three] } },
      1,
      null,
    );
    expect(preview.prompt).toContain('Look at Checkout twice.');
  });
});
