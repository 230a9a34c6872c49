import { expect, it } from 'vitest';
import { mayBeSameCommand } from './same';

it.each([
  ['docker inspect web', 'docker container inspect db', true],
  ['docker-compose ps', 'docker compose -p shop ps', true],
  ['docker --unknown x inspect web', 'docker inspect web', true],
  ['docker restart web', 'docker inspect web', false],
  ['docker inspect web', 'podman inspect web', false],
  ['deploy staging', 'deploy staging --now', true],
  ['deploy staging', 'deploy production', false],
])(
  '[HLD-4.3] the control plane is asked, after `%s` was refused, about `%s`: %s',
  (refused, asked, isAsked) => {
    expect(mayBeSameCommand(refused.split(' '), asked.split(' '))).toBe(isAsked);
  },
);
