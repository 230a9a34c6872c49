import { Bar, BarChart, ReferenceLine } from 'recharts';
import { type Fill, inkOf, paintOf } from '../fill';
import { Patterns } from '../patterns';
import type { Drawing, PlotColumn } from '../plot-view';
import type { Size } from '../use-size';
import { axes } from './axes';
import { areaOf } from './frame';

interface BarsProps {
  scope: string;
  size: Size;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'bars' }>;
}

export function Bars({ scope, size, columns, drawing }: BarsProps) {
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
