import { describe, expect, it } from 'vitest';
import { inputOfForm, keptValues } from './form-input';

function form(...entries: [string, string][]): FormData {
  const made = new FormData();
  for (const [name, value] of entries) made.append(name, value);
  return made;
}

describe('inputOfForm', () => {
  it('takes single values, lists, and none of what React adds', () => {
    const sent = form(['name', 'Ana'], ['day', 'mon'], ['day', 'tue'], ['$ACTION_ID_1', '']);
    expect(inputOfForm(sent)).toEqual({ name: 'Ana', day: ['mon', 'tue'] });
  });
});

describe('keptValues', () => {
  it('never holds a password', () => {
    const sent = form(['email', 'ana@example.com'], ['password', 'x'], ['newPassword', 'y']);
    expect(keptValues(sent)).toEqual({ email: 'ana@example.com' });
  });
});
