import { expect, it } from 'vitest';
import { isolationNote } from './pool-step';

const able = { name: 'one', canConfine: true, why: '', fix: '' };
const unable = {
  name: 'two',
  canConfine: false,
  why: 'bubblewrap isn’t installed on the host.',
  fix: 'Install it.',
};

it.each([
  ['no runner', [], /^Its agents will run unconfined unless a runner .* Connect it first/],
  ['a runner that can', [able], /^The project will be confined: .* in a sandbox\.$/],
  [
    'one that can and one that can’t',
    [able, unable],
    /will be confined: .* It can’t start on two\. bubblewrap isn’t installed on the host\.$/,
  ],
  [
    'none that can',
    [unable, { ...unable, name: 'three' }],
    /^Its agents will run unconfined, .*: two, three can’t confine .*host\. Install it\.$/,
  ],
])('[BND-1.3] %s', (_case, runners, expected) => {
  expect(isolationNote(runners)).toMatch(expected);
});
