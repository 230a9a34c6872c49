import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CHECK_KINDS, CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import type { CheckSpec } from '@/lib/protocol/spec';
import { CheckFields } from './check-fields';

const PATH = 'services.0.checks.0';

function rendered(check: CheckSpec, errors: Record<string, string> = {}): string {
  return renderToStaticMarkup(
    <CheckFields
      path={PATH}
      check={check}
      onChange={() => {}}
      onRemove={() => {}}
      errorAt={(path) => errors[path]}
    />,
  );
}

/** Names of the fields that have a control. */
function fieldsIn(html: string): string[] {
  const ids = [...html.matchAll(new RegExp(` id="${PATH}\\.([A-Za-z]+)`, 'g'))];
  return [...new Set(ids.map(([, name = '']) => name))].toSorted();
}

describe('[INC-1.1] the form of a check', () => {
  it.each(CHECK_TYPES)(
    'of the type %s has a control for each of its fields, and no other',
    (type) => {
      const timed = type === 'heartbeat' ? [] : ['everySeconds', 'timeoutSeconds'];
      const html = rendered({ type, target: 'x', timeoutSeconds: 5 });
      expect(fieldsIn(html)).toEqual(
        ['target', 'type', ...Object.keys(CHECK_KINDS[type].fields), ...timed].toSorted(),
      );
    },
  );

  it('shows what is configured', () => {
    const html = rendered({
      type: 'http',
      target: 'https://shop.test/',
      timeoutSeconds: 5,
      everySeconds: 30,
      expectJson: { path: '$.status', oneOf: ['ok', 1] },
      headers: [{ name: 'Accept', value: 'text/plain' }],
      redirectHosts: ['a.test', 'b.test'],
      method: 'HEAD',
    });
    for (const text of [
      '$.status',
      'ok, 1',
      'Accept: text/plain',
      'a.test, b.test',
      'value="30"',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/<option[^>]*selected=""[^>]*>HEAD</);
    expect(html).toMatch(/<option[^>]*selected=""[^>]*>is one of</);
  });

  it.each([
    ['http', 'headers'],
    ['http', 'expectJson'],
    ['http', 'expectJson.path'],
    ['http', 'redirectHosts'],
    ['dns', 'resolver'],
    ['prometheus', 'threshold'],
    ['command', 'exitCodes'],
    ['heartbeat', 'periodSeconds'],
    ['tcp', 'timeoutSeconds'],
  ] as const)('of the type %s shows what is wrong with %s, opened', (type, field) => {
    const errors = { [`${PATH}.${field}`]: 'This is wrong.' };
    const html = rendered({ type, target: 'x', timeoutSeconds: 5 }, errors);
    expect(html).toContain('This is wrong.');
    const inside = html.split('<details')[1] ?? '';
    if (inside.includes('This is wrong.')) expect(inside).toMatch(/^[^>]*open/);
  });
});
