import { describe, expect, it } from 'vitest';
import type { CheckSpec } from '@/lib/protocol/spec';
import { needsNetwork } from './network-reference';

describe('[INC-1.1] a check that needs the network', () => {
  it.each<[CheckSpec['type'], string, boolean]>([
    ['http', 'https://shop.example/health', true],
    ['http', 'http://127.0.0.1:8080/', false],
    ['http', 'http://localhost/', false],
    ['http', 'http://localhost.example/', true],
    ['http', 'http://[::1]:80/', false],
    ['tcp', 'db-1:5432', true],
    ['tcp', '127.0.0.1:5432', false],
    ['database', 'postgresql://user@localhost:5432/x', false],
    ['database', 'postgresql://user@db-1/x', true],
    ['dns', 'localhost', false],
    ['dns', 'shop.example', true],
    ['process', 'nginx', false],
    ['container', 'web', false],
    ['service', 'nginx.service', false],
  ])('%s of %s: %s', (type, target, needs) => {
    expect(needsNetwork({ type, target })).toBe(needs);
  });
});
