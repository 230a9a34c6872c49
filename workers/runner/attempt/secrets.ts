/** Texts that must never leave this host, for the redactor of one attempt. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';
import { isSecretName } from '@/lib/platform/redaction/assigned-secrets';
import type { AttemptSpec, CommandPolicy } from '@/lib/protocol/spec';
import type { CommandSecrets } from '../broker/prepared-command';
import type { RunnerEnv } from '../env';

interface SecretsOfAttempt extends Pick<AttemptSpec, 'secretNames'> {
  start: Pick<AttemptSpec['start'], 'commands'>;
}

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The runner's own: its key, keys of model providers, passwords of its queue, variables it passes on. */
export function runnerSecrets(
  env: RunnerEnv,
  runnerKey: string,
  apiKeys: readonly string[],
): string[] {
  const passed = env.passEnv.filter(isSecretName).map((name) => env.source[name]);
  const password = env.queue ? passwordIn(env.queue.url) : null;
  const all = [runnerKey, ...apiKeys, password, ...passed];
  return all.filter((secret): secret is string => Boolean(secret));
}

/** A project's, each in a file `<dir>/secrets/<name>` that an operator has put there. */
export function projectSecrets(dir: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (!SAFE_NAME.test(name)) return [];
    try {
      return [readFileSync(path.join(dir, 'secrets', name), 'utf8')];
    } catch {
      logger.warn({ name }, 'project secret not found on this runner');
      return [];
    }
  });
}

/**
 * Reads what the commands of some rules get as variables, once: the redactor of the attempt knows these
 * contents and no later ones. The line break at the end of a file isn't part of its secret.
 *
 * @param secrets with the rules that name them
 * @returns the variables of a rule, and the names that this host has no usable file for
 */
export function commandSecrets(
  dir: string,
  secrets: CommandPolicy['secrets'],
): (rule: string) => CommandSecrets {
  const read = secrets.map(({ name, rules }) => {
    const value = projectSecrets(dir, [name])[0]?.replace(/\r?\n$/, '') ?? '';
    // The system takes no variable with a zero byte.
    return { name, rules, value: value.includes('\0') ? '' : value };
  });
  return (rule) => {
    const named = read.filter(({ rules }) => rules.includes(rule));
    const usable = named.filter(({ value }) => value !== '');
    return {
      env: Object.fromEntries(usable.map(({ name, value }) => [name, value])),
      missing: named.flatMap(({ name, value }) => (value === '' ? [name] : [])),
    };
  };
}

/** Returns the names of all secrets that an attempt may meet: those of its commands, too. */
export function secretNamesOf({ secretNames, start }: SecretsOfAttempt): string[] {
  return [...new Set([...secretNames, ...(start.commands?.secrets ?? []).map(({ name }) => name)])];
}

/** Of every project that has any on this host. */
export function allProjectSecrets(dir: string): string[] {
  const folder = path.join(dir, 'secrets');
  return existsSync(folder) ? projectSecrets(dir, readdirSync(folder)) : [];
}

function passwordIn(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).password) || null;
  } catch {
    return null;
  }
}
