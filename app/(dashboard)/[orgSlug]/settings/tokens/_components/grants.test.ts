import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKEN_SCOPES } from '@/lib/identity/token-scopes';
import { GRANTS } from './grants';

const offered: string[] = GRANTS.flatMap(({ read, more }) => (more ? [read, more.scope] : [read]));

function scopesOfRoutes(): string[] {
  const folder = path.resolve('app/api/v1');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('route.ts'))
    .flatMap((file) => [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(/scopes: \['([^']+)'\]/g),
    ])
    .map((match) => match[1] ?? '');
  return [...new Set(found)];
}

describe('[SAS-6.2] the scopes that a token can be given', () => {
  it('are those that routes ask for, each of them', () => {
    const wanted = scopesOfRoutes();
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((scope) => !offered.includes(scope))).toEqual([]);
  });

  it('are scopes that tokens know', () => {
    expect(offered.filter((scope) => !(TOKEN_SCOPES as readonly string[]).includes(scope))).toEqual(
      [],
    );
  });
});
