import {
  addressFact,
  type CheckRules,
  checkKind,
  expectText,
  family,
  maxResponseMs,
  problem,
} from '../check-kind';
import { parseHostPort } from '../target';

export const tcp = checkKind({
  word: 'TCP port',
  target: { label: 'Host and port', example: 'db-1.internal:5432' },
  since: 1,
  fields: { expectText, family, maxResponseMs },
  host: (target) => target.replace(/:\d+$/, ''),
});

export const tcpRules = {
  target: '`host:port`',
  facts: { address: addressFact },
  texts: { expectText: 'the first words of the server' },
  problems: ({ target }) =>
    problem('target', parseHostPort(target) !== null, 'Enter a host and port, such as db-1:5432.'),
} satisfies CheckRules<typeof tcp.fields>;
