import { ends, type Hint, marker, type Rule } from './rule';

const words = [
  ['password'],
  ['passwd'],
  ['passphrase'],
  ['passcode'],
  ['pwd'],
  ['secret'],
  ['token'],
  ['credential'],
  ['credentials'],
  ['api', 'key'],
  ['app', 'key'],
  ['application', 'key'],
  ['access', 'key'],
  ['private', 'key'],
  ['signing', 'key'],
  ['encryption', 'key'],
  ['account', 'key'],
  ['auth', 'key'],
  ['master', 'key'],
  ['shared', 'key'],
  ['license', 'key'],
];

// Every way of writing, so that case shows where a word ends: `tokenValue` but not `tokenizer`.
const lower = words.flatMap((parts) => [
  parts.join('[_-]?'),
  parts.map(capital).join('[_-]?'),
  parts.map((part, index) => (index === 0 ? part : capital(part))).join(''),
]);
const upper = words.map((parts) => parts.join('[_-]?').toUpperCase());
const nameWord = `(?:(?:${[...new Set(lower)].join('|')}|(?<![A-Za-z])(?:[Pp]ass|_auth))(?![a-z])|(?:${upper.join('|')}|(?<![A-Z])PASS)(?![A-Z]))`;
const nameRest = '[A-Za-z0-9_.-]{0,40}';
const isSecretWord = new RegExp(nameWord);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `DB_PASSWORD`, `apiKey`, `$SECRET_NAME`; not `input_tokens` or `tokenizer`. */
export function isSecretName(name: string): boolean {
  return isSecretWord.test(name) && !/(?:_|-)?(?:file|path|dir|count|limit|ttl|ref)$/i.test(name);
}

/** Returns false for values that can't be a secret: a reference, a number, a word of prose. */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (text.length < 3) return false;
  if (
    /^(?:true|false|null|none|nil|undefined|unset|set|empty|required|optional|string|number|redacted|hidden|\*+|x+|\.+|<[^<>]{0,60}>)$/i.test(
      text,
    )
  )
    return false;
  if (/^(?:\$\{?[A-Z_][A-Z0-9_]*\}?|\$\{\{.*|\{\{.*|\$\(.*|%[A-Z_]+%)$/.test(text)) return false;
  // "token: 4096" counts something; a password may well be a number.
  return !(/^[0-9.,]+%?$/.test(text) && !/pass|pwd/i.test(name));
}

// In JSON that is a string in JSON, one or more backslashes stand before a quote; in a URL, codes.
const quote = String.raw`(?:\\{0,15}["']|%2[${ends('2')}])`;
const sign = `(?:=>|:=|[:=]|%3[${ends('aAdD')}])`;
const newline = String.raw`(?:\n|\\{1,15}[${ends('n')}])`;
const blockScalar = String.raw`(?:[|>][+-]?${newline}\s{1,12})?`;
const separator = String.raw`${quote}?\]?\s{0,8}${sign}\s{0,8}${blockScalar}`;

/**
 * A value with its quotes, of which the group of the given number holds the backslashes. A quote
 * behind more of them than that is part of the value.
 */
function valueWith(group: number): string {
  const same = `\\${group}`;
  const escaped = String.raw`(\\{1,15})"(?:[^"\\]|\\{1,31}(?![\\"])|${same}\\{1,16}"){1,4000}(?:${same}")?`;
  const bare = String.raw`[^\s"',;&)\]}\\\u001b]{3,4000}`;
  return String.raw`(?:${escaped}|"(?:[^"\\]|\\[\s\S]){1,4000}"?|'[^'\n]{1,4000}'?|${bare})`;
}

const nameAndSign = `${nameWord}${nameRest}${separator}`;
const longFlag = `-[a-z-]{0,30}${nameWord}[a-z-]{0,30}`;
const shortFlag =
  '(?:password|passwd|passphrase|token|(?:src|dest|key|deststore|srcstore|store)pass)';
const flag = String.raw`(?:-${longFlag}|(?<=\s)-${shortFlag})`;
const gap = String.raw`(?:\s|\\{1,15}[${ends('nrt')}]){1,20}`;
const tag = `<[A-Za-z0-9:_-]{0,40}${nameWord}[A-Za-z0-9:_-]{0,40}`;
const is = String.raw`\\{0,15}["']?\s{0,4}[:=]\s{0,4}`;
const named = String.raw`[nN]ame${is}\\{0,15}["']?[A-Za-z0-9_.-]{0,40}${nameWord}${nameRest}`;
const itsValue = String.raw`\\{0,15}["']?(?:[\s,;]|${newline}){1,20}\\{0,15}["']?[vV]alue${is}`;

export const assignedSecrets: Rule[] = [
  assigned({ any: nameAndSign }, `(${nameWord}${nameRest})(${separator})(${valueWith(4)})`),
  assigned(
    { sign: `-(?:${longFlag}|${shortFlag})[ \\\\"']` },
    String.raw`(${flag})( {1,4}|\\{0,15}["'],\s{0,8}(?=\\{0,15}["']))(${valueWith(4)})`,
  ),
  assigned({ sign: `${tag}>` }, String.raw`(${tag})(>)([^<>\s]{3,4000})`),
  // Of a container or task definition: {"name": "DB_PASSWORD", "value": "…"}
  assigned({ word: named }, String.raw`\b(${named})(${itsValue})(${valueWith(4)})`),
  // SQL
  assigned(
    { word: "[pP][aA][sS][sS][wW][oO][rR][dD]\\s{0,4}\\(?'" },
    String.raw`(\bPASSWORD)(\s{1,4}|\s{0,4}\()('[^'\n]{3,400}')`,
    'gi',
  ),
  assigned(
    { word: '[iI][dD][eE][nN][tT][iI][fF][iI][eE][dD]\\s' },
    String.raw`(\bIDENTIFIED(?:\s{1,4}WITH\s{1,4}\S{1,60})?\s{1,4}(?:BY|AS)(?:\s{1,4}PASSWORD)?)(\s{1,4})('[^'\n]{3,400}'|"[^"\n]{3,400}")`,
    'gi',
  ),
  // redis.conf
  assigned(
    { word: 'requirepass|masterauth' },
    String.raw`\b(requirepass|masterauth)([ \t]{1,8})(${valueWith(4)})`,
  ),
  // .netrc, where whitespace of any kind stands between
  assigned(
    { word: `machine${gap}` },
    String.raw`(\bmachine${gap}[^\s\\]{1,200}${gap}(?:login${gap}[^\s\\]{1,200}${gap})?password)(${gap})([^\s"'\\]{3,400})`,
  ),
];

/** What only the rules above take for a name. */
const isSpecialName = /^(?:-[a-z]+pass|identified.*|requirepass|masterauth)$/i;

export const assignedMarker = marker('assigned secret');

function assigned(hint: Hint, source: string, flags = 'g'): Rule {
  return {
    kind: 'assigned secret',
    hint,
    pattern: new RegExp(source, flags),
    replace: ([all, name = '', between = '', value = ''], shown) =>
      replaceValue(all, name, between, value, shown),
  };
}

function replaceValue(
  all: string,
  name: string,
  between: string,
  quoted: string,
  shown: string,
): string {
  const quote = /^\\*["']/.exec(quoted)?.[0] ?? '';
  const inner = quoted.slice(
    quote.length,
    quoted.endsWith(quote) ? -quote.length || undefined : undefined,
  );
  const isSecret = isSecretName(name) || isSpecialName.test(name);
  if (!isSecret || !isSecretValue(name, inner)) return all;
  return `${name}${between}${quote}${shown}${quote}`;
}
