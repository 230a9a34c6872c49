/** The form of a channel's target, as data: the page hands it to the browser. Without imports. */

/** Choices that have to be made, by the name of their field: `{ shape: 'events_v2' }`. */
export type Condition = Readonly<Record<string, string>>;

interface TextField {
  /** Of the setting that it enters. */
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  isOptional?: true;
  /** Omitted: always shown. */
  when?: Condition;
}

export type FormField =
  /** `headers`: `Name: value`, one per line. */
  | (TextField & { type: 'text' | 'headers' })
  /** Several texts, separated by white space and these signs. */
  | (TextField & { type: 'list'; separators?: string })
  /** The first one is chosen unless another is. */
  | (Pick<TextField, 'name' | 'label' | 'when'> & {
      type: 'choice';
      choices: readonly { value: string; label: string }[];
    })
  | (Pick<TextField, 'when'> & { type: 'note'; text: string });

export interface TargetForm {
  kind: string;
  name: string;
  fields: readonly FormField[];
  /** Which choices make a channel receive alerts and no notices; true: all of them. */
  alertsOnly: boolean | Condition;
  isSigned: boolean;
  /** The field that shows the target of a stored channel; null: the target contains a secret. */
  shownIn: string | null;
  /** Whether the installation can send to it. */
  isAvailable: boolean;
}

/** Texts of a form, by the name of their field. */
export type Entered = Readonly<Record<string, string>>;

/**
 * The outcomes and events that lead to an alert (lib/deliveries/alert.ts): all that a channel which
 * only receives alerts can subscribe to.
 */
export const ALERT_SUBSCRIPTIONS: readonly string[] = [
  'needs_human',
  'incident.opened',
  'incident.needs_human',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
];

/** Returns whether these settings, or the texts for them, meet a condition. */
export function meets(
  values: Readonly<Record<string, unknown>>,
  when: boolean | Condition | undefined = true,
): boolean {
  if (typeof when === 'boolean') return when;
  return Object.entries(when).every(([name, value]) => values[name] === value);
}

/** Returns the text of every control, with the first choice where none was made. */
export function valuesOf({ fields }: Pick<TargetForm, 'fields'>, entered: Entered): Entered {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (field.type === 'note') return [];
      const initial = field.type === 'choice' ? (field.choices[0]?.value ?? '') : '';
      return [[field.name, entered[field.name] ?? initial]];
    }),
  );
}

/** Returns the settings that were entered, of the fields that are shown. The server checks them. */
export function settingsOf(
  form: Pick<TargetForm, 'kind' | 'fields'>,
  entered: Entered,
): { kind: string } & Record<string, unknown> {
  const values = valuesOf(form, entered);
  const settings = form.fields.flatMap((field) =>
    field.type === 'note' || !meets(values, field.when)
      ? []
      : [[field.name, settingOf(field, values[field.name] ?? '')] as const],
  );
  return { ...Object.fromEntries(settings), kind: form.kind };
}

function settingOf(field: FormField, text: string) {
  switch (field.type) {
    case 'list':
      return text.split(new RegExp(`[\\s${field.separators ?? ''}]+`)).filter(Boolean);
    case 'headers':
      return text.split('\n').flatMap((line) => (line.trim() ? [headerOf(line)] : []));
    default:
      return text;
  }
}

/** A line without a colon has no value, which the server's answer points out. */
function headerOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line.trim(), value: '' };
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}
