import type { Command } from 'commander';
import { readAddress } from '@/scripts/bootstrap/address.mjs';
import { type ApiClient, createApiClient } from './client';

/** Where a command writes, and what it ends with. */
export interface Terminal {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/** What every command gets: where it speaks to, and how it answers. */
interface CommandContext {
  api: ApiClient;
  terminal: Terminal;
  isJson: boolean;
  /** The answer on stdout: as text for people, or `value` as JSON with --json. */
  print(text: string, value: unknown): void;
}

export function commandContext(
  options: { json?: boolean; url?: string },
  env: Record<string, string | undefined>,
  terminal: Terminal,
): CommandContext {
  const isJson = options.json ?? false;
  const url = options.url || env.TIERWATCH_URL || readAddress(env).localUrl;
  return {
    api: createApiClient(url, env.TIERWATCH_TOKEN),
    terminal,
    isJson,
    print: (text, value) => {
      terminal.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`);
    },
  };
}

export type ContextOf = (command: Command) => CommandContext;
