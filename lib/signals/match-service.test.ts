import { expect, it } from 'vitest';
import { serviceMatcher } from './match-service';

const services = [
  { id: 's1', name: 'web' },
  { id: 's2', name: 'Checkout' },
];

it.each<[string, string[], Record<string, string>, string | null, string | null]>([
  ['an equal name', ['web'], {}, 'web', 's1'],
  ['an equal name in another case', ['CHECKOUT '], {}, 'CHECKOUT ', 's2'],
  ['the first text that names one', ['node-exporter', 'web'], {}, 'web', 's1'],
  ['the first text, where none names one', ['node', 'shop'], {}, 'node', null],
  ['none', [], {}, null, null],
  ['a name of the source', ['shop-frontend'], { 'Shop-Frontend': 'web' }, 'shop-frontend', 's1'],
  ['a name of the source over an equal one', ['web'], { web: 'checkout' }, 'web', 's2'],
  ['a name for a service that is gone', ['web'], { web: 'old' }, 'web', null],
  ['no part of a name', ['web-1'], {}, 'web-1', null],
  ['no name of JavaScript', ['constructor'], {}, 'constructor', null],
])('[INC-1.3] the service of an alert: %s', (_, texts, names, text, serviceId) => {
  expect(serviceMatcher(services, names)(texts)).toEqual({ text, serviceId });
});
