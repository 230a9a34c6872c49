import type { Command } from 'commander';
import { readAddress } from '@/scripts/bootstrap/address.mjs';
import { type ApiClient, createApiClient } from './client';

/** What every command gets: where it speaks to, and how it answers. */
interface CommandContext {
  api: ApiClient;
  isJson: boolean;
  /** The answer on stdout: as text for people, or `value` as JSON with --json. */
  print(text: string, value: unknown): void;
}

export function commandContext(
  options: { json?: boolean; url?: string },
  env: Record<string, string | undefined>,
): CommandContext {
  const isJson = options.json ?? false;
  const url = options.url || env.TIERWATCH_URL || readAddress(env).localUrl;
  return {
    api: createApiClient(url, env.TIERWATCH_TOKEN),
    isJson,
    print: (text, value) => {
      process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`);
    },
  };
}

export type ContextOf = (command: Command) => CommandContext;
