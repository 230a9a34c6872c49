import { describe, expect, it } from 'vitest';
import { domainOf, importsOf } from './source-files';

describe('importsOf', () => {
  it.each([
    ["import { a } from 'zod';", 'zod', null, false],
    [
      "import type { A } from '@/lib/chains/schema';",
      '@/lib/chains/schema',
      'lib/chains/schema',
      true,
    ],
    ["import {\n  a,\n  type B,\n} from '../data';", '../data', 'lib/chains/data', false],
    ["export { a } from './decide';", './decide', 'lib/chains/service/decide', false],
    ["import 'server-only';", 'server-only', null, false],
    ["const a = await import('@/lib/env');", '@/lib/env', 'lib/env', false],
  ])('reads %j', (text, specifier, target, isType) => {
    expect(importsOf('lib/chains/service/start.ts', text)).toEqual([{ specifier, target, isType }]);
  });
});

describe('domainOf', () => {
  it('is the folder in lib', () => {
    expect(domainOf('lib/chains/service/start.ts')).toBe('chains');
    expect(domainOf('lib/env.ts')).toBeNull();
    expect(domainOf('app/chains/page.tsx')).toBeNull();
  });
});
