import { describe, expect, it } from 'vitest';
import { composeMessage } from './message';

const now = new Date('2026-11-22T12:00:00Z');
const mail = { to: 'bo@example.com', subject: 'Hello', text: 'Hello' };

describe('composeMessage', () => {
  it('is ASCII whatever it says, with lines that every server takes', () => {
    const subject = 'Ana lädt dich zu Café Nord ein – 日本語のチーム名もここに長く書かれています';
    const text = 'Grüße 👋 '.repeat(200);
    const message = composeMessage({ ...mail, subject, text }, 'tierwatch@example.com', now);
    expect(message).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(Math.max(...message.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    const [head = '', body = ''] = message.split('\r\n\r\n');
    const words = [...head.matchAll(/=\?utf-8\?B\?([^?]+)\?=/g)].map(([, word]) => word ?? '');
    expect(words.map((word) => Buffer.from(word, 'base64').toString('utf8')).join('')).toBe(
      subject,
    );
    expect(Buffer.from(body, 'base64').toString('utf8')).toBe(text);
    expect(head).toContain('Date: Sun, 22 Nov 2026 12:00:00 +0000');
  });

  it('gets no header of anyone else’s making', () => {
    const subject = 'Hello\r\nBcc: everyone@example.com';
    const message = composeMessage({ ...mail, subject }, 'tierwatch@example.com', now);
    expect(message).not.toMatch(/^Bcc:/m);
  });
});
