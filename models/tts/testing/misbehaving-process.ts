import { serveSynthesis } from '../synthesis-process.ts';
import { ProviderError } from '../../ports.ts';

/** A speech library that does what the text says: crashes, hangs, refuses, or speaks. */
serveSynthesis(
  () => ({
    speak(job, deliver) {
      if (job.text === 'crash') process.kill(process.pid, 'SIGKILL');
      if (job.text === 'refuse') throw new ProviderError('test', 'bad-request', 'Refused.');
      if (job.text === 'fail') throw new Error('secret detail');
      deliver({ pcm: new Int16Array(10).fill(job.text.length), sampleRate: 16_000 });
    },
  }),
  'Not installed.',
);
