/** Counters and histograms, declared as one entry each: `counter({ name, help, labels })`. */

import { Counter, Histogram } from 'prom-client';
import { hasProjectLabel, type OfProject, projectLabel } from './project-label';
import { metricsRegistry } from './registry';

/** For a label whose values the caller bounds, such as the route of a request. */
export const OPEN = 'open';

/** A label's closed set of values: any other value is counted as `other`. */
type LabelSets = Readonly<Record<string, readonly string[] | typeof OPEN>>;

type LabelValues<Sets extends LabelSets> = {
  [Name in keyof Sets]: Sets[Name] extends readonly string[] ? Sets[Name][number] : string;
};

interface Declaration<Sets extends LabelSets> {
  /** With its unit; a counter's ends in `_total`. */
  name: `tierwatch_${string}`;
  help: string;
  labels: Sets;
}

/** Declares a histogram. @param declaration `buckets`: upper bounds, in the unit of its name */
export function histogram<const Sets extends LabelSets>(
  declaration: Declaration<Sets> & { buckets: readonly number[] },
) {
  const { name, help, labels, buckets } = declaration;
  const metric = declare(name, () => {
    const labelNames = Object.keys(labels);
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [] });
  });
  return {
    /** @param value in the unit of its name; a negative one counts as 0 */
    observe(values: LabelValues<Sets>, value: number): void {
      if (Number.isFinite(value)) metric().observe(closed(labels, values), Math.max(0, value));
    },
  };
}

/**
 * Declares a counter. Every combination of closed labels starts at 0, since `rate()` doesn't see the
 * first sample of a series.
 */
export function counter<const Sets extends LabelSets>(declaration: Declaration<Sets>) {
  const metric = declareCounter(declaration, false);
  return {
    /** @param by at least 0; anything else is ignored */
    add(values: LabelValues<Sets>, by = 1): void {
      if (by >= 0 && Number.isFinite(by)) metric().inc(closed(declaration.labels, values), by);
    },
  };
}

/** The same, with the label `project` in an installation that has it. */
export function projectCounter<const Sets extends LabelSets>(declaration: Declaration<Sets>) {
  const metric = declareCounter(declaration, true);
  return {
    /** Counts at once, or, with the label, when the project's name is known. */
    async add(project: OfProject, values: LabelValues<Sets>, by = 1): Promise<void> {
      if (!(by >= 0 && Number.isFinite(by))) return;
      const known = closed(declaration.labels, values);
      if (hasProjectLabel()) metric().inc({ ...known, project: await projectLabel(project) }, by);
      else metric().inc(known, by);
    },
  };
}

function declareCounter(
  { name, help, labels }: Declaration<LabelSets>,
  isPerProject: boolean,
): () => Counter {
  return declare(name, () => {
    const withProject = isPerProject && hasProjectLabel();
    const labelNames = [...Object.keys(labels), ...(withProject ? ['project'] : [])];
    const made = new Counter({ name, help, labelNames, registers: [] });
    if (!withProject) for (const values of combinations(labels)) made.inc(values, 0);
    return made;
  });
}

const declared: (() => unknown)[] = [];

/**
 * Makes the metrics of all modules that are loaded, so that a scrape has those without samples, too.
 */
export function makeDeclaredMetrics(): void {
  for (const metric of declared) metric();
}

/** Returns what finds the metric in the registry, where another bundle may have made it. */
function declare<Metric extends Counter | Histogram>(
  name: string,
  make: () => Metric,
): () => Metric {
  const find = () => {
    const known = metricsRegistry().getSingleMetric(name);
    if (known) return known as unknown as Metric;
    const made = make();
    metricsRegistry().registerMetric(made);
    return made;
  };
  declared.push(find);
  return find;
}

/** Every combination of the values; none if a label is open. */
function combinations(sets: LabelSets): Record<string, string>[] {
  return Object.entries(sets).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      values === OPEN
        ? []
        : all.flatMap((one) => [...values].map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function closed(sets: LabelSets, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const set = sets[name];
      return [name, set === OPEN || set?.includes(value) ? value : 'other'];
    }),
  );
}
