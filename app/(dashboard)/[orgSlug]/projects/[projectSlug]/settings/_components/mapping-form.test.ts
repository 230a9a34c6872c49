import { expect, it } from 'vitest';
import { type Mapping, mappingSchema } from '@/lib/signals/source-schema';
import { formOf, mappingOf } from './mapping-form';

it.each<Mapping>([
  {},
  { title: 'event.name', status: 'events[0].state' },
  { firingValues: ['CRITICAL', '0'], resolvedValues: ['OK'] },
  { serviceNames: { 'shop = old': 'web', db: 'database' } },
])('[INC-1.3] a mapping is the same after the form: %j', (mapping) => {
  const parsed = mappingSchema.parse(mapping);
  expect(mappingOf(formOf(parsed))).toEqual(parsed);
});

it('[INC-1.3] what is empty or incomplete is left out', () => {
  const form = {
    paths: { title: '  ' },
    firingValues: ' , ',
    resolvedValues: '',
    serviceNames: 'a\n= b\nc =',
  };
  expect(mappingOf(form)).toEqual({});
});
