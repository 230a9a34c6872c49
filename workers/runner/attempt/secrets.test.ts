import { expect, it } from 'vitest';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { secretNamesOf } from './secrets';

it('[BND-2.6] the redactor of an attempt knows the secrets of its commands, too', () => {
  const secrets = [
    { name: 'grafana', rules: ['Bash(curl https://grafana/:*)'] },
    { name: 'db', rules: ['Bash(psql:*)'] },
  ];
  const values = { targets: NO_TARGETS, service: [], host: [], url: [] };
  const commands = { allowed: [], denied: [], askFirst: [], secrets, values };
  const names = (start: Parameters<typeof secretNamesOf>[0]['start']) =>
    secretNamesOf({ secretNames: ['db'], start });
  expect(names({ commands })).toEqual(['db', 'grafana']);
  expect(names({ commands: null })).toEqual(['db']);
});
