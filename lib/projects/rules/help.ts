/** What a rule matches and what it does not, in words, while it is typed. */
import { parseRule, type Rule } from './rule';

export interface RuleHelp {
  matches: string;
  /** What one may think that it covers. */
  misses: string;
}

/** The available forms of a rule, with an example of each. */
export const RULE_FORMS: readonly { form: string; matches: string }[] = [
  { form: 'Bash(docker ps:*)', matches: 'docker ps, followed by anything' },
  {
    form: 'Bash(docker restart web)',
    matches: 'exactly this text: no extra words or spaces',
  },
  {
    form: 'Bash(docker restart {service})',
    matches: 'this text for each container that a check names; for systemctl, for each unit',
  },
  { form: 'Bash(dig {host})', matches: 'this text for each host that a check names' },
  { form: 'Bash(docker restart web *)', matches: 'this command, with or without arguments' },
  {
    form: 'Bash(*docker*restart*)',
    matches: 'any text that contains these words; * matches anything',
  },
  { form: 'Bash', matches: 'every command: the tier may do anything its user may' },
  { form: 'Read(//var/log/**)', matches: 'reads below /var/log; // is the file system root' },
  { form: 'Edit(./**)', matches: 'Edit and Write inside the work directory' },
  { form: 'mcp__server__tool', matches: 'one tool of an MCP server' },
];

/** Null if the text is not a rule. */
export function ruleHelp(
  text: string,
  list: 'allowed' | 'refused' | 'brokered' | 'asking',
): RuleHelp | null {
  const rule = parseRule(text);
  if (!rule) return null;
  if (list === 'asking') return helpOfAsking(rule);
  if (list === 'brokered') return helpOfBrokered(rule);
  if (rule.tool !== 'Bash') return helpOfTool(rule, list);
  return list === 'allowed' ? helpOfAllowed(rule) : helpOfRefused(rule);
}

const EACH_PART =
  'Not: a second command after && ; | & (each part needs a rule), $(…), redirections to a file, sh -c, env or VAR=… in front, a path before the program.';

function helpOfAllowed({ form }: Rule): RuleHelp {
  switch (form.kind) {
    case 'whole':
      return {
        matches:
          'Every command, including joined commands, subshells, redirections and interpreters.',
        misses: 'Nothing. Denied rules don’t contain it: most commands can be written another way.',
      };
    case 'prefix':
      return {
        matches: `\`${form.text}\` alone, and followed by anything: every option and subcommand.`,
        misses: EACH_PART,
      };
    case 'pattern':
      return { matches: `Any one command that matches \`${form.text}\`.`, misses: EACH_PART };
    case 'exact':
      return {
        matches: `\`${form.text}\`, exactly.`,
        misses: 'Not: one extra word or space. Add :* to allow anything after it.',
      };
  }
}

/** The command broker compares these rules with arguments, however the shell spells them. */
function helpOfBrokered({ tool, form }: Rule): RuleHelp | null {
  if (tool !== 'Bash' || form.kind === 'whole' || form.kind === 'pattern') return null;
  return form.kind === 'prefix'
    ? {
        matches: `\`${form.text}\`, with operands and harmless options of the program.`,
        misses: 'Not: options that do more, such as starting another program or reading a file.',
      }
    : {
        matches: `\`${form.text}\` with exactly these arguments, however the shell spells it.`,
        misses: 'Not: an option that the rule doesn’t name. Write [--option] for an optional one.',
      };
}

/** Where an allowed rule lets a command run, the words are compared as those of a denied rule. */
function helpOfAsking({ tool, form }: Rule): RuleHelp | null {
  if (tool !== 'Bash' || form.kind === 'whole' || form.kind === 'pattern') return null;
  const own = form.kind === 'prefix' ? 'operands and harmless options' : 'exactly these arguments';
  return {
    matches: `\`${form.text}\`, with anything between and after its words if an allowed rule lets the command run.`,
    misses: `Without an allowed rule: only with ${own}.`,
  };
}

function helpOfRefused({ form }: Rule): RuleHelp {
  if (form.kind === 'whole') {
    return { matches: 'The tool is removed; the agent doesn’t see it.', misses: 'Nothing.' };
  }
  return {
    matches: `\`${form.text}\`, also after && ; |, env, VAR=…, timeout, nohup, command and xargs.`,
    misses:
      'Gets through where Bash allows it: sh -c, eval, (…), $(…), a path before the program, quotes inside words, options before the subcommand.',
  };
}

function helpOfTool({ tool, form }: Rule, list: 'allowed' | 'refused'): RuleHelp {
  const what = form.kind === 'whole' ? `every use of ${tool}` : `${tool} on ${form.text}`;
  if (list === 'refused') {
    return {
      matches: `${what}, even if an allowed rule matches.`,
      misses: tool === 'Bash' ? '' : 'Not: the same through a Bash command.',
    };
  }
  return { matches: `${what}.`, misses: 'Not: the same through a Bash command.' };
}
