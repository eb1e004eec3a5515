import { loadFlite } from './flite-library.ts';
import { serveSynthesis } from './synthesis-process.ts';

/** Entry of the process that speaks with flite. */
serveSynthesis(loadFlite, 'The speech library flite is not installed (Debian: libflite1).');
