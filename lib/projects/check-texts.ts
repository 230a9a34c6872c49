/** What the fields of services and checks mean; those of one kind of check are in its folder. */

import type { FieldTexts, SHARED_FIELDS } from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS, CHECK_RULES, CHECK_TYPES } from '@/lib/protocol/checks/kinds';

/** Returns what the target of each type of check is: ``a URL (`http`, `prometheus`)``, and so on. */
export function checkTargets(): string {
  const targets = [...new Set(CHECK_TYPES.map((type) => CHECK_RULES[type].target))];
  const typesOf = (target: string) =>
    CHECK_TYPES.filter((type) => CHECK_RULES[type].target === target)
      .map(code)
      .join(', ');
  return listed(targets.map((target) => `${target} (${typesOf(target)})`));
}

/** By path, such as `services.checks.target`. */
export function serviceTexts(): Record<string, FieldTexts> {
  const own = CHECK_TYPES.flatMap((type) => Object.entries(CHECK_RULES[type].texts));
  const ofOneType = own.filter(
    (entry): entry is [string, FieldTexts] => typeof entry[1] !== 'string',
  );
  const checks = Object.entries({ ...COMMON, ...sharedTexts(), ...Object.fromEntries(ofOneType) });
  return {
    'services.name': { doc: 'Unique in the project; the agent and the health strip use it.' },
    'services.checks': { doc: 'Checks that decide whether the service is healthy.' },
    ...Object.fromEntries(checks.map(([field, texts]) => [`services.checks.${field}`, texts])),
  };
}

const COMMON: Record<string, FieldTexts> = {
  type: { doc: 'Type of check. The other fields belong to the types that they name.' },
  target: { doc: `Target of the check: ${checkTargets()}.` },
  everySeconds: {
    doc: 'Seconds between two executions without an agent, 30 to 86,400; `monitoring.everySeconds` by default.',
    comment: 'seconds',
  },
  timeoutSeconds: {
    doc: 'Timeout of the check in seconds. It must be below the interval.',
    comment: 'seconds',
  },
};

function sharedTexts(): Record<keyof typeof SHARED_FIELDS, FieldTexts> {
  const holders = CHECK_TYPES.flatMap((type) => {
    const { texts } = CHECK_RULES[type];
    return 'expectText' in texts ? [`${texts.expectText} (${code(type)})`] : [];
  });
  const ofFamily = CHECK_TYPES.filter((type) => 'family' in CHECK_KINDS[type].fields).map(code);
  return {
    expectText: { doc: `Text that ${listed(holders)} must contain.` },
    family: { doc: `${ofFamily.join(', ')}: IP version of the connection; \`auto\` by default.` },
    maxResponseMs: {
      doc: 'Milliseconds above which a healthy response is degraded; no limit by default.',
      comment: 'milliseconds',
    },
  };
}

function code(text: string): string {
  return `\`${text}\``;
}

function listed(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}
