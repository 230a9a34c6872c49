/** Tests of the third agent CLI run with it registered from the start, as a process that has it. */
import { expect } from 'vitest';

if (expect.getState().testPath?.endsWith('third-agent.test.ts')) await import('./register');
