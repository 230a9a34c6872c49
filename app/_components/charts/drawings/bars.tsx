import { Bar, BarChart, ReferenceLine, ResponsiveContainer } from 'recharts';
import { type Fill, inkOf, paintOf } from '../fill';
import { Patterns } from '../patterns';
import type { Drawing, PlotColumn } from '../plot-view';
import { axes } from './axes';
import { AREA } from './frame';

interface BarsProps {
  scope: string;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'bars' }>;
}

const MARGIN = { left: 0, right: AREA.right, top: AREA.top, bottom: 0 };

export function Bars({ scope, columns, drawing }: BarsProps) {
  const { series, rows, ticks, limit } = drawing;
  const data = rows.map((row, index) => ({ ...row, label: columns[index]?.short ?? '' }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={data}
        margin={MARGIN}
        barCategoryGap="18%"
        barGap={1}
        accessibilityLayer={false}
      >
        <Patterns scope={scope} fills={series.map((each) => each.fill)} />
        {axes({ ticks })}
        {series.map((each) => (
          <Bar
            key={each.key}
            dataKey={each.key}
            stackId={each.stack}
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
              position: 'insideTopRight',
              fill: 'var(--text-2)',
              fontSize: 12,
            }}
          />
        ) : null}
      </BarChart>
    </ResponsiveContainer>
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
