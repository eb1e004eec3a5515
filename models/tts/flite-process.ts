import { loadFlite } from './flite-library.ts';
import { serveSynthesis } from './synthesis-process.ts';

/** Entry of the process that speaks with flite. */
serveSynthesis(loadFlite);
