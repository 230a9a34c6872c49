import { marker, type Rule } from './rule';

const words = [
  ['password'],
  ['passwd'],
  ['passphrase'],
  ['pwd'],
  ['secret'],
  ['token'],
  ['credential'],
  ['credentials'],
  ['api', 'key'],
  ['access', 'key'],
  ['private', 'key'],
  ['signing', 'key'],
  ['encryption', 'key'],
  ['account', 'key'],
  ['auth', 'key'],
];

// Every way of writing, so that case tells where a word ends: `tokenValue` but not `tokenizer`.
const lower = words.flatMap((parts) => [
  parts.join('[_-]?'),
  parts.map(capital).join(''),
  parts.map((part, index) => (index === 0 ? part : capital(part))).join(''),
]);
const upper = words.map((parts) => parts.join('[_-]?').toUpperCase());
const nameWord = `(?:(?:${lower.join('|')}|(?<![A-Za-z])[Pp]ass)(?![a-z])|(?:${upper.join('|')}|(?<![A-Z])PASS)(?![A-Z]))`;
const nameRest = '[A-Za-z0-9_.-]{0,40}';
const isSecretWord = new RegExp(nameWord);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `DB_PASSWORD`, `apiKey`, `$SECRET_NAME`; not `input_tokens` or `tokenizer`. */
export function isSecretName(name: string): boolean {
  return isSecretWord.test(name) && !/(?:_|-)?(?:file|path|dir|count|limit|ttl)$/i.test(name);
}

/** False for what says that there is no secret here: a reference, a number, a word of prose. */
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

const separator = String.raw`(?:\\?["'])?\]?\s{0,8}(?:=>|:=|[:=])\s{0,8}`;
const value = String.raw`(?:\\"(?:[^"\\]|\\\\.){1,4000}\\"|"(?:[^"\\]|\\[\s\S]){1,4000}"?|'[^'\n]{1,4000}'?|[^\s"',;&)\]}\\]{3,4000})`;

export const assignedSecrets: Rule[] = [
  {
    kind: 'assigned secret',
    pattern: new RegExp(`(${nameWord}${nameRest})(${separator})(${value})`, 'g'),
    replace: ([all, name = '', between = '', quoted = ''], shown) =>
      replaceValue(all, name, between, quoted, shown),
  },
  {
    kind: 'assigned secret',
    pattern: new RegExp(`(--[a-z-]{0,30}${nameWord}[a-z-]{0,30})( {1,4})(${value})`, 'g'),
    replace: ([all, name = '', between = '', quoted = ''], shown) =>
      replaceValue(all, name, between, quoted, shown),
  },
];

export const assignedMarker = marker('assigned secret');

function replaceValue(
  all: string,
  name: string,
  between: string,
  quoted: string,
  shown: string,
): string {
  const quote = /^\\?["']/.exec(quoted)?.[0] ?? '';
  const inner = quoted.slice(
    quote.length,
    quoted.endsWith(quote) ? -quote.length || undefined : undefined,
  );
  if (!isSecretName(name) || !isSecretValue(name, inner)) return all;
  return `${name}${between}${quote}${shown}${quote}`;
}
