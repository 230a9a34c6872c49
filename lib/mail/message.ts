import { randomUUID } from 'node:crypto';

/** One e-mail of plain text to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const WORD_BYTES = 39;
const BASE64_LINE = 76;

/** The message as SMTP carries it: RFC 5322 with CRLF, every text in base64 so that it is ASCII. */
export function composeMessage(mail: Mail, from: string, now: Date): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const body = Buffer.from(mail.text, 'utf8').toString('base64');
  return [
    `From: Tierwatch <${onOneLine(from)}>`,
    `To: <${onOneLine(mail.to)}>`,
    `Subject: ${encodeWords(mail.subject)}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@${onOneLine(domain)}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    'Auto-Submitted: auto-generated',
    '',
    ...(body.match(new RegExp(`.{1,${BASE64_LINE}}`, 'g')) ?? []),
    '',
  ].join('\r\n');
}

/** RFC 2047, in pieces that break no character; a name with a line break adds no header. */
function encodeWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of onOneLine(text)) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((part) => `=?utf-8?B?${Buffer.from(part, 'utf8').toString('base64')}?=`)
    .join('\r\n ');
}

function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, ' ');
}
