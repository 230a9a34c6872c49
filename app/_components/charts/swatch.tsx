'use client';

import { useId } from 'react';
import { type Fill, inkOf, Patterns, paintOf } from './fill';

interface SwatchProps {
  fill: Fill;
  /** `line` where the series is one; `dash` breaks it. */
  shape?: 'box' | 'line' | 'dash';
}

/** The mark of a series in the legend and the tip: drawn as it is in the picture. */
export function Swatch({ fill, shape = 'box' }: SwatchProps) {
  const scope = useId();
  if (shape !== 'box') {
    return (
      <svg aria-hidden viewBox="0 0 16 10" className="h-2.5 w-4 shrink-0" data-bar="">
        <line
          x1={0.5}
          x2={15.5}
          y1={5}
          y2={5}
          stroke={inkOf(fill)}
          strokeWidth={2}
          strokeDasharray={shape === 'dash' ? '4 3' : undefined}
        />
      </svg>
    );
  }
  return (
    <svg aria-hidden viewBox="0 0 10 10" className="size-2.5 shrink-0" data-bar="">
      <Patterns scope={scope} fills={[fill]} />
      <rect
        x={fill.form === 'hollow' ? 0.75 : 0}
        y={fill.form === 'hollow' ? 0.75 : 0}
        width={fill.form === 'hollow' ? 8.5 : 10}
        height={fill.form === 'hollow' ? 8.5 : 10}
        rx={1}
        fill={paintOf(scope, fill)}
        stroke={fill.form === 'hollow' ? inkOf(fill) : 'none'}
        strokeWidth={1.5}
      />
    </svg>
  );
}
