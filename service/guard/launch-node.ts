import { forkedProcess } from '../../runtime/forked-process.ts';
import type { FromNode, ToNode } from './messages.ts';

/** Starts the process of a node, with the settings of this one. */
export const launchNode = forkedProcess<ToNode, FromNode>(new URL('./node-process.ts', import.meta.url));
