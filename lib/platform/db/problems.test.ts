import { expect, it } from 'vitest';
import { type DatabaseWalls, wallProblems } from './startup-check';

const sound: DatabaseWalls = {
  use: 'application',
  role: 'tierwatch_app',
  isUnbound: false,
  isOwner: false,
  openTables: [],
  openViews: [],
};

it('says nothing about a bound login on guarded tables', () => {
  expect(wallProblems(sound)).toEqual([]);
});

it.each([
  [
    { isUnbound: true, role: 'postgres' },
    'The database login "postgres" of the application is a superuser',
  ],
  [
    { isOwner: true, role: 'tierwatch_owner' },
    'The database login "tierwatch_owner" of the application owns tables',
  ],
  [
    { openTables: ['chain', 'session'] },
    'the database login "tierwatch_app" of the application in: chain, session',
  ],
  [{ openViews: ['spend'] }, 'These views read with the rights of their owner: spend'],
])('[SAS-1.3] names what is wrong in %o and what to do', (wrong, words) => {
  const problems = wallProblems({ ...sound, ...wrong });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(words);
  expect(problems[0]).toMatch(/Give Tierwatch a login|Run the migrations|Set security_invoker/);
});
