import { describe, expect, it } from 'vitest';
import { importsOf } from './source-files';

describe('importsOf', () => {
  it.each([
    ["import { a } from 'zod';", 'zod', null, false],
    [
      "import type { A } from '@/lib/engine/schema';",
      '@/lib/engine/schema',
      'lib/engine/schema',
      true,
    ],
    ["import {\n  a,\n  type B,\n} from '../data';", '../data', 'lib/engine/data', false],
    ["export { a } from './decide';", './decide', 'lib/engine/service/decide', false],
    ["import 'server-only';", 'server-only', null, false],
    ["const a = await import('@/lib/env');", '@/lib/env', 'lib/env', false],
  ])('reads %j', (text, specifier, target, isType) => {
    expect(importsOf('lib/engine/service/start.ts', text)).toEqual([{ specifier, target, isType }]);
  });
});
