import type { PlotView } from '../plot-view';
import { Bars } from './bars';
import { Lines } from './lines';
import { Slots } from './slots';

interface PictureProps {
  scope: string;
  view: PlotView;
}

/** The only way into recharts: loaded on its own when the page has nothing more urgent to do. */
export default function Picture({ scope, view: { columns, drawing } }: PictureProps) {
  switch (drawing.form) {
    case 'bars':
      return <Bars scope={scope} columns={columns} drawing={drawing} />;
    case 'lines':
      return <Lines columns={columns} drawing={drawing} />;
    case 'slots':
      return <Slots columns={columns} drawing={drawing} />;
  }
}
