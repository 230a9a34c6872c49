import type { AttemptResult } from '@/lib/protocol/schema';

export type StartError = NonNullable<AttemptResult['startError']>;

const BY_SYSTEM_CODE: Record<string, StartError['code']> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'not_executable',
  EPERM: 'not_executable',
  ENOEXEC: 'not_executable',
  E2BIG: 'argument_list',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && startErrorOf(error, '').code === 'disk_full';
}

/** Returns why a process couldn't start. The control plane adds what to do about it. */
export function startErrorOf(error: unknown, file: string): StartError {
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = BY_SYSTEM_CODE[systemCode] ?? 'other';
  return { code, message: startErrorMessage(code, file, error) };
}

function startErrorMessage(code: StartError['code'], file: string, error: unknown): string {
  switch (code) {
    case 'missing':
      return `The program ${file} was not found.`;
    case 'not_executable':
      return `The program ${file} cannot be executed by the runner's user.`;
    case 'argument_list':
      return "The agent's command is longer than the operating system allows.";
    case 'disk_full':
      return "The runner's disk is full.";
    default:
      return `The program ${file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
