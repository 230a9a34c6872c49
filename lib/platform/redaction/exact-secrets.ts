import type { Rule } from './rule';

/** Shorter ones would take ordinary words out of every text. */
const MIN_SECRET_LENGTH = 4;
const MIN_LINE_LENGTH = 12;

/** Returns the project's own secrets in all their encodings. */
export function secretForms(secrets: string[]): string[] {
  const forms = new Set(secrets.flatMap(plainForms).flatMap(encodedForms));
  const usable = [...forms].filter((form) => form.length >= MIN_SECRET_LENGTH);
  // The longest first: one secret may be the beginning of another.
  return usable.sort((a, b) => b.length - a.length);
}

/** Returns a rule for these forms; null if there are none. */
export function exactSecrets(forms: readonly string[]): Rule | null {
  if (forms.length === 0) return null;
  const any = forms.map(escapePattern).join('|');
  return { kind: 'project secret', hint: { any }, pattern: new RegExp(any, 'g') };
}

/** Returns whether the text ends with the start of one of these forms. */
export function mayBegin(forms: readonly string[], text: string): boolean {
  return forms.some((form) => {
    for (let length = 1; length < form.length; length += 1) {
      if (text.endsWith(form.slice(0, length))) return true;
    }
    return false;
  });
}

/** A secret file often ends with a newline, and a log may hold one line of a longer one. */
function plainForms(secret: string): string[] {
  const whole = secret.trim();
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  return [whole, ...lines.filter((line) => lines.length > 1 && line.length >= MIN_LINE_LENGTH)];
}

function encodedForms(secret: string): string[] {
  if (secret.length < MIN_SECRET_LENGTH) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...base64Forms(secret),
  ];
}

/**
 * Returns the encodings of a secret on its own and inside a longer text, where it can start at
 * three offsets.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const alone = [bytes.toString('base64'), bytes.toString('base64url')];
  if (bytes.length < 8) return alone;
  const inside = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const firstOwn = Math.ceil((offset * 8) / 6);
    const lastOwn = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(firstOwn, lastOwn);
  });
  return [
    ...alone,
    ...inside,
    ...inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
