import { RULE_FORMS } from '@/lib/projects/rules/help';

/** The forms a rule can have; folded, for whoever writes their first. */
export function RuleForms() {
  return (
    <details className="text-ui">
      <summary className="w-fit cursor-pointer text-link">What the forms of a rule match</summary>
      <dl className="mt-2 grid grid-cols-[minmax(0,16rem)_minmax(0,1fr)] gap-x-4 gap-y-1 max-md:grid-cols-1">
        {RULE_FORMS.map(({ form, matches }) => (
          <div key={form} className="contents">
            <dt>
              <code className="break-all text-code">{form}</code>
            </dt>
            <dd className="text-text-2">{matches}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
