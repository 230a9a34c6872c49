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
  user
    .command('reset-second-factor')
    .description(
      'Remove all second factors of someone who has lost them, and sign them out everywhere',
    )
    .argument('<email>', 'whose')
    .action(async (email, _options, command) => {
      const { print } = contextOf(command);
      Object.assign(process.env, localEnvironment(process.env));
      const wasReset = await resetSecondFactor(String(email).trim().toLowerCase());
      if (wasReset === null) throw new CommandError(`There is no account ${email}.`);
      if (!wasReset) throw new CommandError(`${email} has no second factor. Nothing was changed.`);
      print(`${email} has no second factor now, and was signed out everywhere.`, { email });
    });
}

async function resetSecondFactor(email: string): Promise<boolean | null> {
  // Loaded now, since they read the environment.
  const { disconnectClients } = await import('@/lib/platform/db/clients');
  const { findAccount } = await import('@/lib/identity/auth/sign-up');
  const { resetFactors } = await import('@/lib/identity/factors/manage-factors');
  try {
    const account = await findAccount(email);
    return account && (await resetFactors(account));
  } finally {
    await disconnectClients();
  }
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
