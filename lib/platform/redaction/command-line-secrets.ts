import { isSecretValue } from './assigned-secrets';
import { anyEnd, type Rule } from './rule';

/** An option of some programs whose value is a secret, though its name doesn't say so. */
interface SecretOption {
  /** Sources of patterns: the programs' names, and the option. */
  programs: string;
  option: string;
  /** Where the value is: in the next word, in the same word as the option, or either. */
  value: 'next' | 'joined' | 'either';
  /** Only what is behind this is secret: `user:password`. */
  behind?: ':' | '%' | '=';
  /** Characters between program and option, which may be another program's after more of them. */
  reach?: number;
}

const OPTIONS: SecretOption[] = [
  {
    programs: 'curl',
    option: '(?:-[a-zA-Z]{0,8}[uU]|--(?:proxy-)?user)',
    value: 'either',
    behind: ':',
  },
  { programs: 'curl', option: '(?:-[a-zA-Z]{0,8}b|--cookie)', value: 'either', behind: '=' },
  { programs: 'curl', option: '--oauth2-bearer', value: 'either' },
  { programs: 'https?(?= )', option: '(?:-a|--auth)', value: 'either', behind: ':' },
  {
    programs: '(?:mysql[a-z]{0,10}|my(?:dumper|loader|cli)|mariadb(?:-[a-z]{1,10})?|xtrabackup)',
    option: '-p',
    value: 'joined',
  },
  // Then follows another program: in `sshpass -p … ssh -p 2222` the second one is a port.
  { programs: 'sshpass', option: '-p', value: 'either', reach: 4 },
  { programs: '(?:redis|valkey)-cli', option: '-a', value: 'next' },
  {
    programs: 'mongo(?:sh|dump|restore|export|import|stat|top|files)?',
    option: '-p',
    value: 'next',
  },
  { programs: 'login', option: '-p', value: 'either' },
  {
    programs: 'ldap(?:search|modify|add|delete|whoami|passwd|compare)',
    option: '-w',
    value: 'either',
  },
  { programs: '(?:sqlcmd|bcp|osql|ipmitool)', option: '-P', value: 'either' },
  { programs: '(?:smbclient|rpcclient|smbmap|winexe)', option: '-U', value: 'either', behind: '%' },
  { programs: '(?:plink|pscp|psftp)', option: '-pw', value: 'next' },
  { programs: '7z[ar]?', option: '-p', value: 'joined' },
  { programs: '(?:un)?zip', option: '-P', value: 'either' },
  { programs: 'rabbitmqadmin', option: '-p', value: 'next' },
];

const quoted = String.raw`\\{0,15}"[^"\n\\]{1,400}|'[^'\n]{1,400}`;
const given = String.raw`(${quoted}|[^\s"'|;&<>()\\,\u001b]{1,400})`;
// In a line, or in an array of JSON.
const space = String.raw`(?:[ \t]{1,8}|\\{0,15}["'],\s{0,8}(?=\\{0,15}["']))`;
const BETWEEN = { next: space, joined: '', either: `(?:=|${space})?` };

// What reads a secret from its input.
const reader = String.raw`(?:sudo\s{1,4}(?:-[a-z]{1,4}\s{1,4}){0,3}-S\b|(?:sudo\s{1,4})?(?:chpasswd|passwd\s{1,4}--stdin)|[^\n|]{0,200}--(?:password|pass|token)-stdin)`;

export const commandLineSecrets: Rule[] = [
  ...OPTIONS.map((entry) => {
    const { programs, option, value, behind, reach = 300 } = entry;
    // It follows the option, so that the text before it is only checked there.
    const ofProgram = String.raw`(?<=\b(?:${programs})\b(?:[^\n|]|\\\n){0,${reach}}[\s"'${anyEnd}]${option})`;
    const start = String.raw`(?<=[\s"'${anyEnd}])${option}${ofProgram}${BETWEEN[value]}`;
    return secretWord(String.raw`(?:${programs})\b`, `(${start})${given}`, 'g', behind);
  }),
  secretWord(
    '(?:echo|printf)\\b',
    String.raw`(\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?)${given}(?=\\{0,15}["']?\s{0,4}\|\s{0,4}${reader})`,
  ),
  secretWord(
    '[cC]onvert[tT]o-[sS]ecure[sS]tring',
    String.raw`(\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?)(${quoted})`,
    'gi',
  ),
];

function secretWord(
  program: string,
  source: string,
  flags = 'g',
  behind?: SecretOption['behind'],
): Rule {
  return {
    kind: 'command line secret',
    hint: { word: program },
    pattern: new RegExp(source, flags),
    replace: ([all, before = '', word = ''], shown) => {
      const quote = /^\\*["']/.exec(word)?.[0] ?? '';
      const text = word.slice(quote.length);
      const from = behind === undefined ? 0 : text.indexOf(behind) + 1;
      const isMissing = behind !== undefined && from === 0;
      // Ports and user numbers: `-p 8080:80`, `-u 1000:1000`.
      const isNumbers = /^[0-9.]*(?::[0-9]+)+(?:\/[a-z]+)?$/.test(text);
      if (isMissing || isNumbers || !isSecretValue('password', text.slice(from))) return all;
      return before + quote + text.slice(0, from) + shown;
    },
  };
}
