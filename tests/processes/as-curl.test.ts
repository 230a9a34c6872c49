import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl } from '@/app/(dashboard)/[orgSlug]/webhooks/[endpointId]/_components/delivery-detail';

it('reads as the same arguments in a shell, whatever they hold', () => {
  const url = 'https://hooks.acme.example/t?a=1&b=$HOME';
  const headers = { 'webhook-id': 'dlv_1', 'x-odd': "it's `so`" };
  const body = '{"text":"it\'s $(rm -rf) \\"quoted\\" \\\\ ü"}';
  const command = asCurl(url, headers, body).replace(/^curl/, `printf '%s\\n'`);
  const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(printed.split('\n')).toEqual([
    ...['-X', 'POST', url],
    ...['-H', 'webhook-id: dlv_1', '-H', "x-odd: it's `so`"],
    ...['--data-raw', body, ''],
  ]);
});
