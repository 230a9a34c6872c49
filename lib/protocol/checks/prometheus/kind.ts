import {
  type CheckRules,
  checkKind,
  choiceField,
  family,
  numberField,
  problem,
  textField,
} from '../check-kind';
import { isHttpUrl } from '../target';

const COMPARISONS = ['<', '<=', '==', '!=', '>=', '>'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Age of a sample above which it says nothing, where the check doesn't say. */
export const DEFAULT_SAMPLE_SECONDS = 300;

export const prometheus = checkKind({
  word: 'Prometheus',
  target: { label: 'Server', example: 'http://prometheus:9090' },
  since: 2,
  fields: {
    query: textField({
      label: 'Query',
      placeholder: 'up{job="shop"}',
      size: 'fill',
      place: 'row',
      min: 1,
      max: 2_000,
      missing: 'Enter a query.',
    }),
    operator: choiceField({
      label: 'Must be',
      name: 'comparison',
      size: 's',
      place: 'row',
      choices: COMPARISONS,
      otherwise: '…',
    }),
    threshold: numberField({
      label: 'Threshold',
      placeholder: '1',
      place: 'row',
      isFractional: true,
      missing: 'Enter a number.',
    }),
    maxSampleSeconds: numberField({
      label: 'Oldest sample (s)',
      placeholder: String(DEFAULT_SAMPLE_SECONDS),
      min: 1,
      max: 86_400,
      unit: 'seconds',
      range: 'The age of a sample must be 1s to 1d (1 to 86,400 seconds).',
    }),
    family,
  },
});

export const prometheusRules = {
  target: 'a URL',
  facts: {
    /** The one that decided. */
    value: { shape: 'number', words: (value) => `value ${value}` },
    /** Age of the oldest sample. */
    sampleSeconds: { shape: 'integer', words: (seconds) => `${seconds} s old` },
  },
  identity: ({ query }) => [query],
  texts: {
    query: { doc: '`prometheus`: PromQL query with an instant vector or a scalar as result.' },
    operator: { doc: '`prometheus`: healthy while every value compares so with the threshold.' },
    threshold: { doc: '`prometheus`: number that values are compared with.' },
    maxSampleSeconds: {
      doc: '`prometheus`: age in seconds above which a sample says nothing, so the check is unknown; 300 by default.',
      comment: 'seconds',
    },
  },
  problems: ({ target, query, operator, threshold }) => ({
    ...problem(
      'target',
      isHttpUrl(target),
      'Enter the URL of a Prometheus server, such as http://prometheus:9090.',
    ),
    ...problem('query', Boolean(query?.trim()), 'Enter a query, such as up{job="shop"}.'),
    ...problem(
      'operator',
      operator !== undefined,
      'Choose how the value compares with the threshold.',
    ),
    ...problem(
      'threshold',
      threshold !== undefined,
      'Enter the number that the value is compared with.',
    ),
  }),
} satisfies CheckRules<typeof prometheus.fields>;
