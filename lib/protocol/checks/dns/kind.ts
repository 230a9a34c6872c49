import {
  type CheckRules,
  checkKind,
  choiceField,
  listField,
  maxResponseMs,
  problem,
  textField,
} from '../check-kind';
import { isIpAddress, parseHostPort } from '../target';

export const dns = checkKind({
  word: 'DNS',
  target: { label: 'Name', example: 'shop.example' },
  since: 1,
  fields: {
    maxResponseMs,
    recordType: choiceField({
      label: 'Record',
      name: 'record type',
      place: 'main',
      choices: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'],
      otherwise: 'Addresses',
    }),
    resolver: textField({
      label: 'Name server',
      placeholder: '1.1.1.1',
      min: 1,
      max: 60,
    }),
    expectValues: listField({
      label: 'Expected values',
      placeholder: '203.0.113.7',
      maxLength: 300,
      min: 1,
      max: 50,
    }),
  },
  host: (target) => target,
});

export const dnsRules = {
  target: 'a host name',
  facts: {
    /** What the name resolves to. */
    answers: { shape: 'texts', max: 50, words: (answers) => answers.slice(0, 3).join(' ') },
  },
  identity: ({ recordType, resolver }) => [recordType, resolver && `@${resolver}`],
  texts: {
    recordType: {
      doc: '`dns`: type of record. By default the name is resolved to addresses as programs of the runner’s host do.',
    },
    resolver: {
      doc: '`dns`: IP address of the name server, with a port if it isn’t 53. It is then part of what is checked. By default that of the runner’s host.',
    },
    expectValues: {
      doc: '`dns`: values that must be among the answers, such as `10 mail.shop.example` for MX.',
    },
  },
  problems: ({ target, resolver }) => ({
    ...problem(
      'target',
      /^[\w*-]+(?:\.[\w-]+)*\.?$/.test(target.trim()),
      'Enter a name without a port or path, such as shop.example.',
    ),
    ...problem(
      'resolver',
      resolver === undefined || isResolver(resolver),
      'Enter the IP address of a name server, such as 1.1.1.1 or 1.1.1.1:5353.',
    ),
  }),
} satisfies CheckRules<typeof dns.fields>;

/** Returns whether a name server is an IP address, `1.1.1.1`, `1.1.1.1:5353` or `[::1]:53`. */
export function isResolver(text: string): boolean {
  return isIpAddress(text) || isIpAddress(parseHostPort(text)?.host ?? '');
}
