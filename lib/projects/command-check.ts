/**
 * Which commands a check may run. It runs outside any sandbox, as the runner's account, every minute and
 * without an agent's rules. So the catalog decides, as for open rules of a tier: its verbs that change
 * nothing and carry no risk, with its options. What it doesn't list needs an owner of the organization,
 * who allows that one command line.
 */
import { CATALOG, findProgram } from '@/lib/commands/catalog/catalog';
import { decideCommand } from '@/lib/commands/decide';
import { type CommandRule, parseCommandRule } from '@/lib/commands/rule';
import { parseArgv } from '@/lib/protocol/checks/argv';
import type { ServiceSpec } from '@/lib/protocol/spec';

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
const NO_VALUES = { service: [], host: [], url: [] };

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
