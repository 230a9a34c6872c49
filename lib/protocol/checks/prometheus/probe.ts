import { z } from 'zod';
import type { CheckOf } from '../check-kind';
import { sendRequest } from '../http-request';
import {
  down,
  failureOf,
  healthy,
  type Probe,
  type ProbeContext,
  ProbeError,
  type ProbeResult,
  unknown,
} from '../outcome';
import { type Comparison, DEFAULT_SAMPLE_SECONDS, type prometheus } from './kind';

const MAX_ANSWER_CHARACTERS = 1_000_000;

const sampleSchema = z.tuple([z.number(), z.string().max(50)]);
const answerSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('success'),
    data: z.discriminatedUnion('resultType', [
      z.object({
        resultType: z.literal('vector'),
        result: z.array(
          z.object({ metric: z.record(z.string(), z.string()), value: sampleSchema.optional() }),
        ),
      }),
      z.object({ resultType: z.literal('scalar'), result: sampleSchema }),
    ]),
  }),
  z.object({ status: z.literal('error'), error: z.string() }),
]);

export interface Sample {
  labels: Readonly<Record<string, string>>;
  /** Seconds since the epoch. */
  at: number;
  value: number;
}

/**
 * Evaluates a query at a Prometheus server and compares every value with the threshold. The server is
 * how the check is performed, not what it checks: without its answer the outcome is unknown.
 */
export const probePrometheus: Probe<typeof prometheus.fields> = async (check, context) => {
  const { query, operator, threshold } = check;
  if (query === undefined || operator === undefined || threshold === undefined) {
    return unknown('The check has no query, operator or threshold.');
  }
  context.whenTimeIsUp(unknown('Prometheus did not respond in time.'));
  // Whatever it waits for, the time is up for a query and not for the target.
  const own = { signal: context.signal, whenTimeIsUp() {} };
  try {
    // The timestamp of a result is when it was evaluated; that of the sample is a query of its own.
    const [samples, ages] = await Promise.all([
      evaluate(check, query, own),
      evaluate(check, `timestamp(${query})`, own).catch(() => []),
    ]);
    const oldest = Math.min(...samples.map(({ at }) => at), ...ages.map(({ value }) => value));
    return judgeSamples(check, samples, oldest, Date.now() / 1_000);
  } catch (error) {
    const { error: text } = failureOf(error);
    return unknown(`Prometheus could not be queried. ${text}`);
  }
};

/** @throws ProbeError without an answer that can be read */
async function evaluate(
  check: CheckOf<typeof prometheus.fields>,
  query: string,
  context: ProbeContext,
): Promise<Sample[]> {
  const base = new URL(check.target);
  base.pathname = `${base.pathname.replace(/\/$/, '')}/api/v1/query`;
  base.search = new URLSearchParams({ query }).toString();
  const answer = await sendRequest(
    base,
    {
      method: 'GET',
      headers: { 'user-agent': 'tierwatch-check', accept: 'application/json' },
      family: check.family,
      maxCharacters: MAX_ANSWER_CHARACTERS,
    },
    context,
  );
  const samples = readSamples(answer);
  if (typeof samples === 'string') throw new ProbeError(unknown(samples));
  return samples;
}

/** Returns the samples of an answer, or why it has none, as a sentence. */
export function readSamples(answer: {
  statusCode: number;
  body: string;
  isCut: boolean;
}): Sample[] | string {
  if (answer.isCut) return 'The answer is too long.';
  let value: unknown;
  try {
    value = JSON.parse(answer.body);
  } catch {
    return `Answered ${answer.statusCode} without JSON.`;
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return `Answered ${answer.statusCode} without an instant vector or scalar.`;
  if (parsed.data.status === 'error') return `It reported: ${parsed.data.error.slice(0, 300)}`;
  const { data } = parsed.data;
  const rows =
    data.resultType === 'scalar'
      ? [{ metric: {}, value: data.result }]
      : data.result.map(({ metric, value: sample }) => ({ metric, value: sample }));
  return rows.flatMap(({ metric, value: sample }): Sample[] => {
    return sample ? [{ labels: metric, at: sample[0], value: numberOf(sample[1]) }] : [];
  });
}

/** As Prometheus writes them: `1.5e+06`, `+Inf`, `NaN`. */
function numberOf(text: string): number {
  const infinite = /^([+-]?)Inf$/.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return text.trim() === '' ? Number.NaN : Number(text);
}

const COMPARE: Record<Comparison, (value: number, threshold: number) => boolean> = {
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
  '==': (value, threshold) => value === threshold,
  '!=': (value, threshold) => value !== threshold,
  '>=': (value, threshold) => value >= threshold,
  '>': (value, threshold) => value > threshold,
};

/**
 * Judges the values of a query. No value, one that isn't a number, and an old one say nothing: a metric
 * that vanishes must not look like a recovery.
 *
 * @param oldest of the samples, in seconds since the epoch
 * @param now in seconds since the epoch
 */
export function judgeSamples(
  check: Pick<CheckOf<typeof prometheus.fields>, 'operator' | 'threshold' | 'maxSampleSeconds'>,
  samples: readonly Sample[],
  oldest: number,
  now: number,
): ProbeResult {
  const { operator = '==', threshold = 0, maxSampleSeconds = DEFAULT_SAMPLE_SECONDS } = check;
  const [first] = samples;
  if (!first) return unknown('The query has no result.');
  const sampleSeconds = Math.max(0, Math.round(now - oldest));
  const failing = samples.find(({ value }) => !COMPARE[operator](value, threshold));
  const decisive = failing ?? first;
  const facts = {
    sampleSeconds,
    ...(Number.isFinite(decisive.value) ? { value: decisive.value } : {}),
  };
  if (sampleSeconds > maxSampleSeconds) {
    return {
      ...unknown(
        `The oldest sample is ${sampleSeconds} s old, over the limit of ${maxSampleSeconds} s.`,
      ),
      facts,
    };
  }
  if (samples.some(({ value }) => Number.isNaN(value))) {
    return { ...unknown('A value of the query is not a number.'), facts };
  }
  if (!failing) return { ...healthy, facts };
  const count = samples.length > 1 ? ` of ${samples.length} series` : '';
  return {
    ...down(
      `${failing.value} is not ${operator} ${threshold}${labelsOf(failing)}${count ? `, one${count}` : ''}.`,
    ),
    facts,
  };
}

function labelsOf({ labels }: Sample): string {
  const shown = Object.entries(labels)
    .filter(([name]) => name !== '__name__')
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');
  return shown === '' ? '' : ` for {${shown.slice(0, 200)}}`;
}
