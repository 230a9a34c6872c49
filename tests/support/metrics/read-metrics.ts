/** Reads Prometheus' text format as a scraper does, and refuses what a scraper would only drop. */

export interface MetricsText {
  /** By name and labels, in the order of the labels' names: `up{job="a"}`. */
  samples: Map<string, number>;
  /** By name. */
  types: Map<string, string>;
}

/** @throws Error for a duplicate sample, an interleaved family, or a line that isn't of the format */
export function readMetrics(text: string): MetricsText {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  const finished = new Set<string>();
  let family = '';
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (typed && type) {
      if (types.has(typed)) throw new Error(`${typed} has two types.`);
      types.set(typed, type);
      finished.add(family);
      family = typed;
      continue;
    }
    const [, name = '', , labels = '', value = ''] =
      /^([a-z_:][\w:]*)(\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === '' || !/^(?:[+-]?(?:\d[\d.e+-]*|Inf)|nan)$/i.test(value)) {
      throw new Error(`Not a sample: ${line}`);
    }
    const base = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    if (base !== family || finished.has(base)) throw new Error(`${name} is outside its family.`);
    const key = labels === '' ? name : `${name}{${splitLabels(labels).toSorted().join(',')}}`;
    if (samples.has(key)) throw new Error(`${key} is there twice.`);
    samples.set(key, Number(value.replace('Inf', 'Infinity')));
  }
  return { samples, types };
}

function splitLabels(labels: string): string[] {
  return [...labels.matchAll(/\w+="(?:\\.|[^"\\])*"/g)].map(([label]) => label);
}
