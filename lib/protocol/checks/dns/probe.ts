import { Resolver } from 'node:dns/promises';
import { findAddresses } from '../addresses';
import type { CheckOf } from '../check-kind';
import { codeOf, degraded, down, healthy, type Probe, type ProbeResult, unknown } from '../outcome';
import type { dns } from './kind';

/** Values of a name that facts list. */
const MAX_ANSWERS = 50;
const TRIES = 2;

type RecordType = NonNullable<CheckOf<typeof dns.fields>['recordType']>;

/**
 * The name resolves, to what the check expects. Without a record type and a name server it resolves as
 * programs on this host do; otherwise by a DNS query.
 */
export const probeDns: Probe<typeof dns.fields> = async (check, context) => {
  const name = check.target.trim();
  if (!check.recordType && !check.resolver) {
    const addresses = await findAddresses(name, 'auto', context);
    return judgeAnswers(
      check,
      addresses.map(({ address }) => address),
    );
  }
  const type = check.recordType ?? 'A';
  const resolver = new Resolver({
    timeout: Math.max(250, Math.floor((check.timeoutSeconds * 1_000) / (TRIES + 1))),
    tries: TRIES,
  });
  if (check.resolver) resolver.setServers([check.resolver]);
  const giveUp = () => resolver.cancel();
  context.signal.addEventListener('abort', giveUp, { once: true });
  context.whenTimeIsUp(failedQuery(check, 'ETIMEOUT'));
  try {
    const answers = query(resolver, name, type);
    if (context.signal.aborted) giveUp();
    return judgeAnswers(check, await answers);
  } catch (error) {
    return failedQuery(check, codeOf(error));
  } finally {
    context.signal.removeEventListener('abort', giveUp);
  }
};

async function query(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'CNAME':
      return resolver.resolveCname(name);
    case 'NS':
      return resolver.resolveNs(name);
    case 'PTR':
      return resolver.resolvePtr(name);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    case 'MX':
      return (await resolver.resolveMx(name)).map(
        ({ priority, exchange }) => `${priority} ${exchange}`,
      );
    case 'SRV':
      return (await resolver.resolveSrv(name)).map(
        ({ priority, weight, port, name: host }) => `${priority} ${weight} ${port} ${host}`,
      );
    case 'CAA':
      return (await resolver.resolveCaa(name)).map(({ critical, ...record }) => {
        const [[tag, value] = ['', '']] = Object.entries(record).filter(([key]) => key !== 'type');
        return `${critical} ${tag} ${value}`;
      });
  }
}

/** Compares what a name resolves to with what the check expects; case and a final dot don't count. */
export function judgeAnswers(
  {
    expectValues = [],
    recordType,
  }: Pick<CheckOf<typeof dns.fields>, 'expectValues' | 'recordType'>,
  answers: readonly string[],
): ProbeResult {
  const facts = { answers: answers.slice(0, MAX_ANSWERS).map((each) => each.slice(0, 300)) };
  if (answers.length === 0) return { ...down('The name has no address.'), facts };
  const plain = (value: string) =>
    recordType === 'TXT'
      ? value
      : value.trim().toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
  const found = answers.map(plain);
  const missing = expectValues.filter((value) => !found.includes(plain(value)));
  if (missing.length === 0) return { ...healthy, facts };
  const shown = answers.slice(0, 5).join(', ');
  return { ...degraded(`The name resolves to ${shown}, without ${missing.join(', ')}.`), facts };
}

/**
 * Returns what a failed query says. A name server that the check names is part of what is checked; the
 * host's own is the checker's.
 *
 * @param code as c-ares reports it
 */
export function failedQuery(
  { resolver, recordType = 'A' }: Pick<CheckOf<typeof dns.fields>, 'resolver' | 'recordType'>,
  code: string,
): ProbeResult {
  const server = resolver ? `The name server ${resolver}` : 'The runner’s name server';
  switch (code) {
    case 'ENOTFOUND':
      return down('The name does not resolve.');
    case 'ENODATA':
      return down(`The name has no ${recordType} record.`);
    case 'EREFUSED':
      return unknown(`${server} refuses queries from the runner.`);
    case 'ESERVFAIL':
      return (resolver ? down : unknown)(`${server} reported a failure.`);
    case 'ETIMEOUT':
    case 'ECONNREFUSED':
      return (resolver ? down : unknown)(`${server} did not respond.`);
    case 'EBADNAME':
      return down('The target is not a name.');
    default:
      return unknown(`The query could not be made (${code || 'no code'}).`);
  }
}
