import { describe, expect, it } from 'vitest';
import { membersSentence } from './role-words';

const owner = { role: 'owner' } as const;
const viewer = { role: 'viewer' } as const;
const pending = { state: 'pending' } as const;
const expired = { state: 'expired' } as const;

describe('membersSentence', () => {
  it.each([
    [[owner], [], true, '1 person, 1 owner.'],
    [[owner, viewer], [pending], true, '2 people, 1 owner. 1 invitation is open.'],
    [
      [owner, owner, viewer],
      [pending, pending, expired],
      true,
      '3 people, 2 owners. 2 invitations are open, 1 has expired.',
    ],
    [[owner], [expired], true, '1 person, 1 owner. Of the invitations 1 has expired.'],
    [[owner], [], false, 'More people than fit on one page.'],
  ])('%#', (members, invitations, isWhole, sentence) => {
    expect(membersSentence(members, invitations, isWhole)).toBe(sentence);
  });
});
