import { expect, it } from 'vitest';
import { closeOnSignals, onShutdown } from './closing';

it('what is held ends with the process, and what comes later is not held at all', () => {
  const ended: string[] = [];
  onShutdown(() => ended.push('held'));
  const forget = onShutdown(() => ended.push('over on its own'));
  forget();
  closeOnSignals();
  expect(ended).toEqual([]);
  process.emit('SIGTERM', 'SIGTERM');
  onShutdown(() => ended.push('late'));
  expect(ended).toEqual(['held', 'late']);
});
