import { describe, expect, it } from 'vitest';
import { TOKEN_SCOPES } from '@/lib/identity/token-scopes';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { GRANTS } from './scope-table';

const offered: string[] = GRANTS.flatMap(({ read, more }) => (more ? [read, more.scope] : [read]));

describe('[SAS-6.2] the scopes that a token can be given', () => {
  it('are those that routes ask for, each of them', () => {
    const wanted = [...new Set<string>(DESCRIPTIONS.flatMap(({ scopes }) => scopes))];
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((scope) => !offered.includes(scope))).toEqual([]);
  });

  it('are scopes that tokens know', () => {
    expect(offered.filter((scope) => !(TOKEN_SCOPES as readonly string[]).includes(scope))).toEqual(
      [],
    );
  });
});
