import { expect, it } from 'vitest';
import { checkOfTemplate, TEMPLATE_NAMES, TEMPLATES } from './templates';

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
