import { expect, it } from 'vitest';
import { serviceSchema } from '@/lib/protocol/spec';
import {
  checkOfTarget,
  checkOfTemplate,
  serviceNameOf,
  TEMPLATE_NAMES,
  TEMPLATES,
} from './templates';

it.each([
  ['web', 'https://shop.example/health', 'http'],
  ['web', 'payments-db', 'container'],
  ['docker', 'payments-db', 'container'],
  ['docker', 'https://shop.example/health', undefined],
  ['systemd', 'nginx.service', 'service'],
  ['systemd', 'db-1:5432', undefined],
  ['kubernetes', 'http://shop.default.svc:8080/health', 'http'],
  ['kubernetes', 'shop', undefined],
] as const)('[PAG-2.2] from the template %s, %s is checked by %s', (template, text, type) => {
  expect(checkOfTemplate(template, text)?.type).toBe(type);
});

it('[PAG-2.2] the example of each template can be checked', () => {
  for (const name of TEMPLATE_NAMES) {
    expect(checkOfTemplate(name, TEMPLATES[name].example), name).not.toBeNull();
  }
});

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
