import { addressFact, type CheckRules, checkKind, maxResponseMs, problem } from '../check-kind';
import { hostOfUrl } from '../target';

export const database = checkKind({
  word: 'Database',
  target: { label: 'Address', example: 'postgresql://db-1.internal:5432' },
  since: 1,
  fields: { maxResponseMs },
  host: hostOfUrl,
});

export const databaseRules = {
  target: 'a URL whose password is never sent',
  facts: { address: addressFact },
  texts: {},
  problems: ({ target }) =>
    problem(
      'target',
      /^(?:postgres(?:ql)?|mysql|mariadb|redis):\/\//i.test(target) && URL.canParse(target),
      'Enter a postgres://, mysql:// or redis:// URL, such as postgres://db-1:5432.',
    ),
} satisfies CheckRules<typeof database.fields>;
