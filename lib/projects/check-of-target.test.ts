import { expect, it } from 'vitest';
import { serviceSchema } from '@/lib/protocol/spec';
import { checkOfTarget, serviceNameOf } from './check-of-target';

it.each([
  ['https://shop.example/health', 'http', 'shop.example'],
  [' http://127.0.0.1:8080/ok ', 'http', '127.0.0.1'],
  ['db-1.internal:5432', 'tcp', 'db-1.internal'],
  ['[::1]:5432', 'tcp', '1--'],
  ['postgresql://db-1.internal:5432/app', 'database', 'db-1.internal'],
  ['payments-db', 'container', 'payments-db'],
  ['nginx.service', 'service', 'nginx'],
  ['app@1.service', 'service', 'app'],
])('%s is watched by %s as %s', (text, type, name) => {
  const check = checkOfTarget(text);
  expect(check?.type).toBe(type);
  if (!check) return;
  expect(serviceNameOf(check)).toContain(name.replace(/-+$/, ''));
  expect(serviceSchema.safeParse({ name: serviceNameOf(check), checks: [check] }).success).toBe(
    true,
  );
});

it.each(['', '  ', 'two words', 'ftp://files.example', 'https://', '-x'])('%j is none', (text) => {
  expect(checkOfTarget(text)).toBeNull();
});
