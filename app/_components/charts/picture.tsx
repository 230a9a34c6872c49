import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts';
import { type Fill, inkOf, Patterns, paintOf } from './fill';
import { AXIS_TEXT, areaOf, type PlotArea, TICK_GAP } from './picture-frame';
import type { Drawing, LineSeries, PlotColumn, PlotView } from './plot-view';
import type { Tick } from './ticks';
import type { Size } from './use-size';

interface PictureProps {
  scope: string;
  view: PlotView;
  size: Size;
}

/** The only way into recharts: loaded on its own when the page has nothing more urgent to do. */
export default function Picture({ scope, size, view: { columns, drawing } }: PictureProps) {
  return drawing.form === 'bars' ? (
    <Bars scope={scope} size={size} columns={columns} drawing={drawing} />
  ) : (
    <Lines size={size} columns={columns} drawing={drawing} />
  );
}

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

interface BarsProps {
  scope: string;
  size: Size;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'bars' }>;
}

function Bars({ scope, size, columns, drawing }: BarsProps) {
  const area = areaOf(drawing);
  const { series, rows, ticks, limit } = drawing;
  const data = rows.map((row, index) => ({ ...row, label: columns[index]?.short ?? '' }));
  return (
    <BarChart
      {...size}
      data={data}
      margin={{ left: 0, right: area.right, top: area.top, bottom: 0 }}
      barCategoryGap="18%"
      barGap={1}
      accessibilityLayer={false}
    >
      <Patterns scope={scope} fills={series.map((each) => each.fill)} />
      {axes({ ticks, area })}
      {series.map((each) => (
        <Bar
          key={each.key}
          dataKey={each.key}
          stackId="all"
          maxBarSize={32}
          isAnimationActive={false}
          shape={(props: BarBox) => <Piece {...props} scope={scope} fill={each.fill} />}
        />
      ))}
      {limit ? (
        <ReferenceLine
          y={limit.value}
          stroke="var(--text-2)"
          strokeDasharray="3 3"
          label={{
            value: limit.label,
            // Above the line at the left, where a month has its low bars and "so far" isn't.
            position: 'insideBottomLeft',
            stroke: 'var(--surface)',
            strokeWidth: 3,
            paintOrder: 'stroke',
            fill: 'var(--text-2)',
            fontSize: 12,
          }}
        />
      ) : null}
    </BarChart>
  );
}

interface BarBox {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
}

/** A piece of a bar, one pixel apart from the piece below it. */
function Piece({
  x = 0,
  y = 0,
  width = 0,
  height = 0,
  scope,
  fill,
}: BarBox & { scope: string; fill: Fill }) {
  if (!(height > 0)) return null;
  const tall = Math.max(1, height - 1);
  const inset = fill.form === 'hollow' ? Math.min(0.75, tall / 2) : 0;
  return (
    <rect
      data-bar=""
      x={x + inset}
      y={y + inset}
      width={Math.max(1, width - 2 * inset)}
      height={Math.max(0.5, tall - 2 * inset)}
      rx={Math.min(1, tall / 2)}
      fill={paintOf(scope, fill)}
      stroke={fill.form === 'hollow' ? inkOf(fill) : 'none'}
      strokeWidth={1.5}
    />
  );
}

interface LinesProps {
  size: Size;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'lines' }>;
}

/** Lines that break at a gap. */
function Lines({ size, columns, drawing }: LinesProps) {
  const area = areaOf(drawing);
  const { series, rows, ticks } = drawing;
  const data = rows.map((row, index) => ({ ...row, label: columns[index]?.short ?? '' }));
  return (
    <LineChart
      {...size}
      data={data}
      margin={{ left: 0, right: area.right, top: area.top, bottom: 0 }}
      accessibilityLayer={false}
    >
      {axes({ ticks, area })}
      {series.map((each) => (
        <Line
          key={each.key}
          dataKey={each.key}
          type="linear"
          stroke={inkOf({ color: each.color, form: 'solid' })}
          strokeWidth={2}
          strokeDasharray={each.isDashed ? '5 4' : undefined}
          isAnimationActive={false}
          activeDot={false}
          dot={(props: DotPlace) => <Dot key={props.index} {...props} series={each} />}
        />
      ))}
    </LineChart>
  );
}

interface DotPlace {
  cx?: number;
  cy?: number;
  index?: number;
}

/** Hollow where few cases stand behind it. */
function Dot({ cx, cy, index = 0, series }: DotPlace & { series: LineSeries }) {
  if (cx === undefined || cy === undefined || Number.isNaN(cy) || cy === null) return null;
  const ink = inkOf({ color: series.color, form: 'solid' });
  const isHollow = series.hollow[index] === true;
  return (
    <circle
      data-bar=""
      cx={cx}
      cy={cy}
      r={isHollow ? 3 : 2.5}
      fill={isHollow ? 'var(--surface)' : ink}
      stroke={ink}
      strokeWidth={1.5}
    />
  );
}
