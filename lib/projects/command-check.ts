/**
 * Which commands a check may run. It runs outside any sandbox, as the runner's account, every minute. So
 * tier 1's rules decide, and the catalog: its verbs that change nothing and carry no risk, with its
 * options. What it doesn't list needs an owner of the organization, who allows that one command line.
 */

import { CATALOG, findProgram } from '@/lib/commands/catalog/catalog';
import { decideCommand, meansCommand } from '@/lib/commands/decide';
import { type CommandRule, parseCommandRule } from '@/lib/commands/rule';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { parseArgv } from '@/lib/protocol/checks/command/argv';
import type { CheckSpec, CommandPolicy, ServiceSpec } from '@/lib/protocol/spec';

/** One open rule per harmless verb of every program. */
const HARMLESS: readonly CommandRule[] = CATALOG.flatMap(({ program, verbs }) =>
  verbs
    .filter(({ changes, risk }) => !changes && risk === null)
    .flatMap(({ words }) => {
      const parsed = parseCommandRule(`Bash(${[program, ...words].join(' ')}:*)`);
      return parsed.ok ? [parsed.rule] : [];
    }),
);

/** A check has no work folder of a project, so no path of one. */
const PLACE = { cwd: '/', workDir: '/', realPath: (file: string) => file };
const NO_VALUES = { targets: NO_TARGETS, host: [], url: [] };

/**
 * Returns why a check may not run its command, as one sentence; null if it may. Tier 1's rules have to
 * allow it, as if its agent ran it, and nobody is there to approve it. An owner's permission for this
 * command line stands for an allowed rule, and for one of the catalog. Rules that deny or ask first hold
 * all the same.
 *
 * @param policy tier 1's rules; null while none are known, as for a check that isn't saved yet: the
 *   catalog or an owner has to allow it all the same
 */
export function commandCheckRefusal(
  { target, isAllowedByOwner }: Pick<CheckSpec, 'target' | 'isAllowedByOwner'>,
  policy: CommandPolicy | null,
): string | null {
  const parsed = parseArgv(target);
  if (!parsed.ok) return parsed.problem;
  const { argv } = parsed;
  const denied = rulesOf(policy?.denied).find((rule) => meansCommand(rule, argv));
  if (denied) return `tier 1’s rule ${denied.text} denies it.`;
  const asking = rulesOf(policy?.askFirst).find((rule) => meansCommand(rule, argv));
  if (asking) {
    return `tier 1’s rule ${asking.text} asks a person first, and a check can’t wait for one.`;
  }
  if (isAllowedByOwner) return null;
  const harm = harmProblem(target);
  if (harm !== null) return harm;
  if (policy === null) return null;
  const rules = { allowed: rulesOf(policy.allowed), denied: [], askFirst: [] };
  const decision = decideCommand(rules, argv, { known: policy.values, place: PLACE });
  if (decision.verdict === 'allowed') return null;
  return `tier 1’s rules don’t allow it. ${decision.message} Add a rule to tier 1, or have an owner of the organization allow it.`;
}

function rulesOf(texts: readonly string[] = []): CommandRule[] {
  return texts.flatMap((text) => {
    const parsed = parseCommandRule(text);
    return parsed.ok ? [parsed.rule] : [];
  });
}

/** Returns why the catalog doesn't list a command line as harmless, as one sentence; null if it does. */
export function harmProblem(target: string): string | null {
  const parsed = parseArgv(target);
  if (!parsed.ok) return parsed.problem;
  const { argv } = parsed;
  const rules = { allowed: HARMLESS, denied: [], askFirst: [] };
  const decision = decideCommand(rules, argv, { known: NO_VALUES, place: PLACE });
  if (decision.verdict === 'allowed' && !decision.changes) return null;
  const [program = ''] = argv;
  return findProgram(program) === null
    ? `${program} is not in the catalog of commands that are known as harmless.`
    : `The catalog doesn’t list ${program} as harmless with these arguments.`;
}

/**
 * Returns the command lines that only an owner can allow, each as it stands in a check that says so.
 * Those that were allowed before stay allowed, whoever saves.
 */
export function newlyAllowedCommands(
  services: readonly ServiceSpec[],
  before: readonly ServiceSpec[],
): string[] {
  const known = allowedCommands(before);
  return allowedCommands(services).filter((target) => !known.includes(target));
}

function allowedCommands(services: readonly ServiceSpec[]): string[] {
  return services.flatMap(({ checks }) =>
    checks.flatMap(({ type, target, isAllowedByOwner }) =>
      type === 'command' && isAllowedByOwner ? [target] : [],
    ),
  );
}
