import type { CheckFacts } from '../check-facts';

/**
 * Returns what a check measured in a few words for people, such as `from 10.0.0.7, dns 2 ms, connect 1 ms`;
 * empty if it measured nothing besides its time.
 */
export function factWords(facts: CheckFacts): string {
  const { phases, hops = [], answers = [], restarts } = facts;
  const took = (name: string, ms: number | null | undefined) =>
    ms === null || ms === undefined ? [] : [`${name} ${ms} ms`];
  const words = [
    ...(facts.state ? [facts.state] : []),
    ...(facts.exitCode === undefined ? [] : [`exit code ${facts.exitCode}`]),
    ...(facts.value === undefined ? [] : [`value ${facts.value}`]),
    ...(facts.sampleSeconds === undefined ? [] : [`${facts.sampleSeconds} s old`]),
    ...(facts.daysLeft === undefined ? [] : [`${facts.daysLeft} days left`]),
    ...(answers.length > 0 ? [answers.slice(0, 3).join(' ')] : []),
    ...(facts.address ? [`from ${facts.address}`] : []),
    ...(hops.length > 1 ? [`after ${hops.slice(0, -1).join(', ')}`] : []),
    ...took('dns', phases?.dnsMs),
    ...took('connect', phases?.connectMs),
    ...took('tls', phases?.tlsMs),
    ...took('first byte', phases?.firstByteMs),
    ...(restarts ? [`${restarts} restarts`] : []),
    ...(facts.startedAt ? [`started ${facts.startedAt.slice(0, 19)}Z`] : []),
  ];
  return words.join(', ');
}
