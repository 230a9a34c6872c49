import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { redactedOutput } from './redacted-output';

const SECRET = 'correct-horse-battery';
const redactor = createRedactor({ secrets: [SECRET] });

async function shown(...chunks: (string | Buffer)[]): Promise<string> {
  const output = redactedOutput(redactor);
  const whole = text(output);
  for (const chunk of chunks) output.write(chunk);
  output.end();
  return whole;
}

it('passes text on as it is', async () => {
  expect(await shown('one\ntw', 'o\nthree')).toBe('one\ntwo\nthree');
});

it('a secret that comes byte by byte is never shown', async () => {
  const output = await shown(...`key is ${SECRET}\nend\n`);
  expect(output).not.toContain('horse');
  expect(output).toMatch(/^key is \[redacted: [^\]]+\]\nend\n$/);
});

it('a private key is shown as its marker, however its lines come', async () => {
  const words = ['PRIVATE', 'KEY-----'].join(' ');
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(20);
  const key = `-----BEGIN ${words}\n${body}-----END ${words}\n`;
  const output = await shown('before\n', ...key.split(/(?<=\n)/), 'after\n');
  expect(output).not.toContain('MIIEvQ');
  expect(output).toMatch(/^before\n\[redacted: [^\]]+\]\nafter\n$/);
});

it('characters of several bytes survive a cut between them', async () => {
  const bytes = Buffer.from('ä\n');
  expect(await shown(bytes.subarray(0, 1), bytes.subarray(1))).toBe('ä\n');
});

it('leaves out what a command prints beyond the limit, and says so', async () => {
  const line = `${'x'.repeat(999)}\n`;
  const output = await shown(...Array.from({ length: 11 }, () => line.repeat(1_000)));
  expect(output.length).toBeLessThan(10_001_000);
  expect(output).toMatch(/\[tierwatch: 1000000 bytes of output left out\]\n$/);
});
