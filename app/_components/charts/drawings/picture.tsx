import type { PlotView } from '../plot-view';
import type { Size } from '../use-size';
import { Bars } from './bars';
import { Lines } from './lines';
import { Slots } from './slots';

interface PictureProps {
  scope: string;
  view: PlotView;
  size: Size;
}

/** The only way into recharts: loaded on its own when the page has nothing more urgent to do. */
export default function Picture({ scope, size, view: { columns, drawing } }: PictureProps) {
  switch (drawing.form) {
    case 'bars':
      return <Bars scope={scope} size={size} columns={columns} drawing={drawing} />;
    case 'lines':
      return <Lines size={size} columns={columns} drawing={drawing} />;
    case 'slots':
      return <Slots size={size} columns={columns} drawing={drawing} />;
  }
}
