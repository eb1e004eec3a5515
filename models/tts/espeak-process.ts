import { loadEspeak } from './espeak-library.ts';
import { serveSynthesis } from './synthesis-process.ts';

/**
 * Entry of the process that speaks with espeak-ng. Because of its license (GPL-3.0) it is not loaded into the service.
 */
serveSynthesis(loadEspeak, 'The speech library espeak-ng is not installed (Debian: libespeak-ng1).');
