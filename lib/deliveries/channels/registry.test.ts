import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INSTALLATION } from '@/tests/support/describe-kind';
import { CHANNEL_KINDS, channelKindOf, channelKindWords, targetForms } from './registry';
import { createChannelSchema } from './schema';

const manual = readFileSync('docs/notifications.md', 'utf8');

describe.each(targetForms(INSTALLATION))(
  '[INC-2.2] channels of the kind $kind',
  ({ kind, name, ...form }) => {
    const settings = Object.keys(channelKindOf(kind).settings({ allowPrivate: false }).shape);

    it('have a row and a section in the manual', () => {
      expect(manual).toContain(`\n| ${name} | `);
      expect(manual).toContain(`\n## ${name}\n`);
    });

    it('have a form that enters each of their settings', () => {
      const entered = form.fields.flatMap((field) => (field.type === 'note' ? [] : [field.name]));
      expect(new Set(entered)).toEqual(new Set(settings.filter((setting) => setting !== 'kind')));
    });

    it('depend on fields of their form only', () => {
      const conditions = [...form.fields.map(({ when }) => when), form.alertsOnly];
      const named = conditions.flatMap((when) =>
        typeof when === 'object' ? Object.keys(when) : [],
      );
      for (const field of [...named, ...(form.shownIn ? [form.shownIn] : [])])
        expect(settings).toContain(field);
    });
  },
);

it('[INC-2.2] each kind is there once, and an unknown one is an error', () => {
  expect(new Set(CHANNEL_KINDS).size).toBe(CHANNEL_KINDS.length);
  expect(() => channelKindOf('pigeon')).toThrow('no kind of channel pigeon');
});

it.each(['E-mail', 'PagerDuty', 'jira'])(
  '[PAG-1.4] settings of channels are found by %s',
  (word) => {
    expect(channelKindWords()).toContain(word);
  },
);

it('[INC-2.2] a new channel is subscribed to what it says, and never to nothing', () => {
  const create = createChannelSchema({ allowPrivate: false });
  const channel = { name: 'x', settings: { kind: 'email', addresses: ['a@x.example'] } };
  expect(create.parse({ ...channel, outcomes: ['fixed', 'fixed'] }).outcomes).toEqual(['fixed']);
  const nothing = { ...channel, outcomes: [] };
  expect(create.safeParse(nothing).error?.issues[0]).toMatchObject({ path: ['outcomes'] });
});
