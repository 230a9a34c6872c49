import { CartesianGrid, XAxis, YAxis } from 'recharts';
import type { Tick } from '../ticks';

/** Pixels around the plot's area: the picture and the columns over it must agree on them. */
export const AREA = { left: 44, right: 8, top: 12, bottom: 24 } as const;

export const AXIS_TEXT = {
  fill: 'var(--text-3)',
  fontSize: 12,
  style: { fontVariantNumeric: 'tabular-nums' },
} as const;

interface AxesProps {
  ticks: readonly Tick[];
  isLog?: boolean;
}

/**
 * Few lines, and no words but the ticks'. Columns are bands of one width, for lines as well, so
 * that what lies over them fits. Called as a function: recharts looks at its own elements only.
 */
export function axes({ ticks, isLog = false }: AxesProps) {
  const values = ticks.map((tick) => tick.value);
  const labels = new Map(ticks.map((tick) => [tick.value, tick.label]));
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      dataKey="label"
      scale="band"
      height={AREA.bottom}
      axisLine={{ stroke: 'var(--control)' }}
      tickLine={false}
      tick={AXIS_TEXT}
      tickMargin={6}
      interval="preserveStart"
      minTickGap={44}
      allowDuplicatedCategory
    />,
    <YAxis
      key="y"
      width={AREA.left}
      axisLine={false}
      tickLine={false}
      tick={AXIS_TEXT}
      tickMargin={6}
      ticks={values}
      domain={[values[0] ?? 0, values.at(-1) ?? 1]}
      scale={isLog ? 'log' : 'linear'}
      allowDataOverflow
      interval={0}
      tickFormatter={(value: number) => labels.get(value) ?? ''}
    />,
  ];
}
