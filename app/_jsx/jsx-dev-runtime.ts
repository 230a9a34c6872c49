/** The same for a development server. */
import * as react from 'react/jsx-dev-runtime';
import { visibleProps } from './visible-props';

export type { JSX } from 'react';
export { Fragment } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, visibleProps(type, props), ...rest);
