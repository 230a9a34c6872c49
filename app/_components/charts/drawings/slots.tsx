import { Area, ComposedChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { cn } from '../../ui/cn';
import type { Drawing, PlotColumn } from '../plot-view';
import { AREA, AXIS_TEXT } from './frame';

interface SlotsProps {
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'slots' }>;
}

const MARGIN = { left: 0, right: AREA.right, top: 8, bottom: 0 };

/** One row a runner, each up to its own slots; the line on top is the capacity. */
export function Slots({ columns, drawing: { runners } }: SlotsProps) {
  return (
    <div className="flex h-full flex-col" style={{ paddingTop: AREA.top, gap: 6 }}>
      {runners.map((runner, index) => {
        const isLast = index === runners.length - 1;
        const data = runner.used.map((used, at) => ({
          used: used === null ? null : Math.min(used, runner.slots),
          label: columns[at]?.short ?? '',
        }));
        return (
          <div
            key={runner.name}
            className="relative min-h-0"
            style={isLast ? { flex: `1 1 ${AREA.bottom}px` } : { flex: '1 1 0' }}
          >
            <ResponsiveContainer width="100%" height="100%">
              <ComposedChart data={data} margin={MARGIN} accessibilityLayer={false}>
                <XAxis
                  dataKey="label"
                  scale="band"
                  height={isLast ? AREA.bottom : 1}
                  axisLine={{ stroke: isLast ? 'var(--control)' : 'var(--line)' }}
                  tickLine={false}
                  tick={isLast ? AXIS_TEXT : false}
                  tickMargin={6}
                  interval="preserveStart"
                  minTickGap={44}
                />
                <YAxis
                  width={AREA.left}
                  domain={[0, runner.slots]}
                  ticks={[runner.slots]}
                  axisLine={false}
                  tickLine={false}
                  tick={AXIS_TEXT}
                  tickMargin={6}
                  interval={0}
                />
                <ReferenceLine y={runner.slots} stroke="var(--control)" strokeDasharray="3 3" />
                <Area
                  dataKey="used"
                  type="step"
                  stroke="var(--run-mark)"
                  strokeWidth={1.5}
                  fill="var(--run-mark)"
                  fillOpacity={0.3}
                  isAnimationActive={false}
                  activeDot={false}
                  dot={false}
                />
              </ComposedChart>
            </ResponsiveContainer>
            <div
              className="pointer-events-none absolute flex"
              style={{
                left: AREA.left,
                right: AREA.right,
                bottom: isLast ? AREA.bottom : 1,
              }}
            >
              {runner.isAway.map((isAway, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                  key={at}
                  data-bar=""
                  className={cn('h-0.5 flex-1', isAway && 'bg-bad-mark')}
                />
              ))}
            </div>
            <span
              className="pointer-events-none absolute top-0.5 bg-surface px-1 text-meta text-text-2"
              style={{ left: AREA.left + 4 }}
            >
              {runner.name}
            </span>
          </div>
        );
      })}
    </div>
  );
}
