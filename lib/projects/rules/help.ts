/** What a rule matches and what it does not, in words, while it is typed. */
import { parseRule, type Rule } from './rule';

export interface RuleHelp {
  matches: string;
  /** What one may think that it covers. */
  misses: string;
}

/** The forms that there are, for whoever writes the first rule. */
export const RULE_FORMS: readonly { form: string; matches: string }[] = [
  { form: 'Bash(docker ps:*)', matches: 'docker ps, with anything behind it' },
  {
    form: 'Bash(docker restart web)',
    matches: 'exactly this text: no further word, no second space',
  },
  {
    form: 'Bash(docker restart {service})',
    matches: 'this text for each service, or what its checks call its container, unit or process',
  },
  { form: 'Bash(dig {host})', matches: 'this text for each host that a check names' },
  { form: 'Bash(docker restart web *)', matches: 'this command, with or without more words' },
  {
    form: 'Bash(*docker*restart*)',
    matches: 'any text that holds these words; a star is anything',
  },
  { form: 'Bash', matches: 'every command: the tier may do anything its user may' },
  { form: 'Read(//var/log/**)', matches: 'reading below /var/log; two slashes begin at the root' },
  { form: 'Edit(./**)', matches: 'Edit and Write inside the work directory' },
  { form: 'mcp__server__tool', matches: 'one tool of an MCP server' },
];

/** Null for what is no rule. */
export function ruleHelp(text: string, list: 'allowed' | 'refused'): RuleHelp | null {
  const rule = parseRule(text);
  if (!rule) return null;
  if (rule.tool !== 'Bash') return helpOfTool(rule, list);
  return list === 'allowed' ? helpOfAllowed(rule) : helpOfRefused(rule);
}

const EACH_PART =
  'Not: a second command behind && ; | & (each part needs a rule), $(…), redirections to a file, sh -c, env or VAR=… in front, a path before the program.';

function helpOfAllowed({ form }: Rule): RuleHelp {
  switch (form.kind) {
    case 'whole':
      return {
        matches: 'Every command, also several joined, subshells, redirections and interpreters.',
        misses: 'Nothing. Refusals do not hold it back: most commands can be spelled another way.',
      };
    case 'prefix':
      return {
        matches: `\`${form.text}\` alone, and with anything behind it: every option and subcommand.`,
        misses: EACH_PART,
      };
    case 'pattern':
      return { matches: `Any one command that fits \`${form.text}\`.`, misses: EACH_PART };
    case 'exact':
      return {
        matches: `\`${form.text}\`, letter by letter.`,
        misses: 'Not: one more word or space. Add :* to allow more behind it.',
      };
  }
}

function helpOfRefused({ form }: Rule): RuleHelp {
  if (form.kind === 'whole') {
    return { matches: 'The tool is taken away; the agent does not see it.', misses: 'Nothing.' };
  }
  return {
    matches: `\`${form.text}\`, also behind && ; |, env, VAR=…, timeout, nohup, command and xargs.`,
    misses:
      'Gets through where Bash allows it: sh -c, eval, (…), $(…), a path before the program, quotes inside of words, options before the subcommand.',
  };
}

function helpOfTool({ tool, form }: Rule, list: 'allowed' | 'refused'): RuleHelp {
  const what = form.kind === 'whole' ? `every use of ${tool}` : `${tool} on ${form.text}`;
  if (list === 'refused') {
    return {
      matches: `${what}, whatever is allowed.`,
      misses: tool === 'Bash' ? '' : 'Not: the same through a command of Bash.',
    };
  }
  return { matches: `${what}.`, misses: 'Not: the same through a command of Bash.' };
}
