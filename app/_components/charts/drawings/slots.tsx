import { Area, ComposedChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import { cn } from '../../ui/cn';
import type { Drawing, PlotColumn } from '../plot-view';
import type { Size } from '../use-size';
import { AXIS_TEXT, areaOf, SLOT_TOP, slotRows, TICK_GAP } from './frame';

interface SlotsProps {
  size: Size;
  columns: readonly PlotColumn[];
  drawing: Extract<Drawing, { form: 'slots' }>;
}

/** One row a runner, each up to its own slots; the line on top is the capacity. */
export function Slots({ size, columns, drawing }: SlotsProps) {
  const { runners } = drawing;
  const area = areaOf(drawing);
  const rows = slotRows(runners.length, size.height, area);
  return (
    <div className="relative h-full">
      {runners.map((runner, index) => {
        const isLast = index === runners.length - 1;
        const { top = 0, height = 1 } = rows[index] ?? {};
        const bottom = isLast ? area.bottom : 1;
        const data = runner.used.map((used, at) => ({
          used: used === null ? null : Math.min(used, runner.slots),
          label: columns[at]?.short ?? '',
        }));
        return (
          <div
            key={runner.name}
            className="absolute inset-x-0"
            style={{ top, height: height + bottom }}
          >
            <ComposedChart
              width={size.width}
              height={height + bottom}
              data={data}
              margin={{ left: 0, right: area.right, top: SLOT_TOP, bottom: 0 }}
              accessibilityLayer={false}
            >
              <XAxis
                dataKey="label"
                scale="band"
                height={bottom}
                axisLine={{ stroke: isLast ? 'var(--control)' : 'var(--line)' }}
                tickLine={false}
                tick={isLast ? AXIS_TEXT : false}
                tickMargin={6}
                interval="equidistantPreserveStart"
                minTickGap={12}
              />
              <YAxis
                width={area.left}
                domain={[0, runner.slots]}
                ticks={[runner.slots]}
                axisLine={false}
                tickLine={false}
                tickSize={0}
                tick={AXIS_TEXT}
                tickMargin={TICK_GAP}
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
            <div
              className="pointer-events-none absolute flex"
              style={{
                left: area.left,
                right: area.right,
                bottom,
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
              style={{ left: area.left + 4 }}
            >
              {runner.name}
            </span>
          </div>
        );
      })}
    </div>
  );
}
