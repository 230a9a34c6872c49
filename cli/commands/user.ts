import type { Command } from 'commander';
import type { ContextOf } from '../context';
import { CommandError } from '../exit-code';
import { localEnvironment } from '../local-environment';

export function addUserCommands(program: Command, contextOf: ContextOf): void {
  const user = program.command('user').description('User accounts');
  user
    .command('reset-link')
    .description('Print a password reset link that works once and expires in an hour')
    .argument('<email>', 'whose')
    .action(async (email, _options, command) => {
      const { print } = contextOf(command);
      Object.assign(process.env, localEnvironment(process.env));
      const link = await createLink(String(email).trim().toLowerCase());
      if (!link) throw new CommandError(`There is no account ${email}.`);
      print(link, { link });
    });
}

async function createLink(email: string): Promise<string | null> {
  // Loaded now, since they read the environment.
  const { disconnectClients } = await import('@/lib/platform/db/clients');
  const { createResetLink } = await import('@/lib/identity/auth/password-resets');
  try {
    return await createResetLink(email);
  } finally {
    await disconnectClients();
  }
}
