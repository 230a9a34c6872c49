import { Line, LineChart } from 'recharts';
import { inkOf } from '../fill';
import type { Drawing, LineSeries, PlotColumn } from '../plot-view';
import type { Size } from '../use-size';
import { axes } from './axes';
import { areaOf } from './frame';

interface LinesProps {
  size: Size;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'lines' }>;
}

/** Lines that break at a gap. */
export function Lines({ size, columns, drawing }: LinesProps) {
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
