import { CartesianGrid, XAxis, YAxis } from 'recharts';
import type { Tick } from '../ticks';
import { AREA, AXIS_TEXT } from './frame';

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
