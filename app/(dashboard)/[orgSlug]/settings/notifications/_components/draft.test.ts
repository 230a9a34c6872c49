import { describe, expect, it } from 'vitest';
import { createInputOf, fieldErrors, NEW_CHANNEL, updateInputOf } from './draft';

describe('a draft', () => {
  it('takes addresses as people write them', () => {
    const draft = {
      ...NEW_CHANNEL,
      name: 'Ops',
      addresses: ' a@x.example, b@x.example;\nc@x.example ',
    };
    expect(createInputOf(draft).settings).toEqual({
      kind: 'email',
      addresses: ['a@x.example', 'b@x.example', 'c@x.example'],
    });
  });

  it('takes one Apprise URL a line', () => {
    const draft = {
      ...NEW_CHANNEL,
      kind: 'apprise' as const,
      urls: 'slack://a/b\n\npover://u@t\n',
    };
    expect(createInputOf(draft).settings).toMatchObject({ urls: ['slack://a/b', 'pover://u@t'] });
  });

  it('keeps the stored target of an Apprise channel when nothing is entered', () => {
    const draft = { ...NEW_CHANNEL, kind: 'apprise' as const, name: 'Pager' };
    expect(updateInputOf(draft)).not.toHaveProperty('settings');
    expect(updateInputOf({ ...draft, tags: 'night' })).toHaveProperty('settings');
    expect(updateInputOf({ ...draft, kind: 'email' })).toHaveProperty('settings');
  });
});

it('the error of one address stands at the addresses', () => {
  const errors = fieldErrors({
    'settings.addresses.1': 'Enter a full address.',
    name: 'Enter a name.',
  });
  expect(errors).toMatchObject({ addresses: 'Enter a full address.', name: 'Enter a name.' });
  expect(errors.urls).toBeUndefined();
});
