import { loadEspeak } from './espeak-library.ts';
import { serveSynthesis } from './synthesis-process.ts';

/** Entry of the process that speaks with espeak-ng, whose license (GPL-3.0) keeps it out of ours. */
serveSynthesis(loadEspeak, 'The speech library espeak-ng is not installed (Debian: libespeak-ng1).');
