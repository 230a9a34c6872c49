import type { Command } from 'commander';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { parseInput } from '@/lib/platform/http/read-body';
import type { ContextOf } from '../context';
import { CommandError, EXIT } from '../exit-code';
import { localEnvironment } from '../local-environment';

export function addTokenCommands(program: Command, contextOf: ContextOf): void {
  const token = program.command('token').description('API tokens');
  token
    .command('create')
    .description('Create a token directly in the database and print only the token')
    .requiredOption('--organization <slug>', 'organization the token belongs to')
    .requiredOption('--scopes <a,b>', 'scopes: all, chains:run, projects:read, …')
    .option('--expires <days>', 'lifetime, such as 90d, or never', '90d')
    .option('--name <name>', 'shown in the list of tokens', 'command line')
    .action(async (options, command) => {
      const { print } = contextOf(command);
      const input = parseInput(createApiTokenSchema, {
        name: options.name,
        scopes: String(options.scopes).split(','),
        expiresInDays: lifetimeDays(options.expires),
      });
      Object.assign(process.env, localEnvironment(process.env));
      const made = await createTokenOf(options.organization, input);
      print(made.token, made);
    });
}

async function createTokenOf(
  slug: string,
  input: Parameters<typeof import('@/lib/identity/api-tokens/service').createApiToken>[1],
) {
  // Loaded now, since they read the environment.
  const { disconnectClients } = await import('@/lib/platform/db/clients');
  const { findScopeBySlug } = await import('@/lib/identity/organizations/service');
  const { createApiToken } = await import('@/lib/identity/api-tokens/service');
  try {
    const scope = await findScopeBySlug(slug);
    if (!scope) throw new CommandError(`There is no organization ${slug}.`);
    return await createApiToken(scope, input);
  } finally {
    await disconnectClients();
  }
}

/** Days of `90d`; null for `never`. Throws CommandError. */
export function lifetimeDays(text: string): number | null {
  if (text === 'never') return null;
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (days >= 1) return days;
  throw new CommandError(
    `--expires ${text} is not valid. Use days, such as 90d, or never.`,
    EXIT.usage,
  );
}
