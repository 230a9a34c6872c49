import { CartesianGrid, XAxis, YAxis } from 'recharts';
import type { Tick } from '../ticks';
import { AXIS_TEXT, type PlotArea, TICK_GAP } from './frame';

interface AxesProps {
  ticks: readonly Tick[];
  area: PlotArea;
}

/**
 * Few lines, and no words but the ticks'. Columns are bands of one width, for lines as well, so
 * that what lies over them fits. Called as a function: recharts looks at its own elements only.
 */
export function axes({ ticks, area }: AxesProps) {
  const values = ticks.map((tick) => tick.value);
  const labels = new Map(ticks.map((tick) => [tick.value, tick.label]));
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      dataKey="label"
      scale="band"
      height={area.bottom}
      axisLine={{ stroke: 'var(--control)' }}
      tickLine={false}
      tick={AXIS_TEXT}
      tickMargin={6}
      interval="equidistantPreserveStart"
      minTickGap={12}
      allowDuplicatedCategory
    />,
    <YAxis
      key="y"
      width={area.left}
      axisLine={false}
      tickLine={false}
      // A line that isn't drawn still takes its length from the label's room.
      tickSize={0}
      tick={AXIS_TEXT}
      tickMargin={TICK_GAP}
      ticks={values}
      domain={[values[0] ?? 0, values.at(-1) ?? 1]}
      interval={0}
      tickFormatter={(value: number) => labels.get(value) ?? ''}
    />,
  ];
}
