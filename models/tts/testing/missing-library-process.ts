import koffi from 'koffi';
import { serveSynthesis } from '../synthesis-process.ts';

/** A speech library that is not installed. */
serveSynthesis(() => {
  koffi.load('libparley-no-such-library.so.1');
  return { speak: () => {} };
}, 'The library is not installed.');
