import type { AuditEntryDto } from '@/lib/identity/audit/schema';

const KINDS: Record<string, string> = {
  api_token: 'token',
  runner: 'runner',
  system: 'system',
};

/** Who acted: a person by name; anything else says what it is: `runner eu-1`. */
export function entryActor({ actor, actorLabel }: Pick<AuditEntryDto, 'actor' | 'actorLabel'>) {
  const [kind = '', id = ''] = actor.split(':');
  const name = actorLabel || id;
  const word = KINDS[kind];
  return word && name !== word ? `${word} ${name}` : name;
}
