import type { PlotView } from '../plot-view';
import type { Size } from '../use-size';
import { Bars } from './bars';
import { Lines } from './lines';

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
