import { expect, it } from 'vitest';
import { closeOnSignals, whenClosing } from './closing';

it('what is held ends with the process, and what comes later is not held at all', () => {
  const ended: string[] = [];
  whenClosing(() => ended.push('held'));
  const forget = whenClosing(() => ended.push('over by itself'));
  forget();
  closeOnSignals();
  expect(ended).toEqual([]);
  process.emit('SIGTERM', 'SIGTERM');
  whenClosing(() => ended.push('late'));
  expect(ended).toEqual(['held', 'late']);
});
