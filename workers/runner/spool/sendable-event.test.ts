import { expect, it } from 'vitest';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { createRequestReader } from '../broker/broker';
import { sendableEvent } from './attempt-spool';

it('[BND-2.4] the longest command that the broker takes is kept whole', () => {
  // Characters that take most space in JSON.
  const argv = ['docker', ...Array.from({ length: 490 }, () => '\u0001'.repeat(60))];
  const sent = ['run', '/', String(argv.length), ...argv].map((text) => `${text}\0`).join('');
  expect(createRequestReader().push(Buffer.from(sent))).toMatchObject({ kind: 'run', argv });
  const event: BrokeredEvent = {
    kind: 'brokered',
    phase: 'started',
    number: 1,
    argv,
    rule: 'Bash(docker exec:*)',
    refusal: null,
    changes: true,
    end: null,
  };
  expect(sendableEvent(event)).toEqual(event);
});
