import { expect, it } from 'vitest';
import { gitCeilings } from './limits';

it('[HLD-1.2] names every folder above', () => {
  expect(gitCeilings('/srv/runner/work')).toEqual({
    GIT_CEILING_DIRECTORIES: '/srv/runner:/srv:/',
  });
});
