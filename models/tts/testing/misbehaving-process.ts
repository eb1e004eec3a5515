import { existsSync, writeFileSync } from 'node:fs';
import { serveSynthesis } from '../synthesis-process.ts';
import { ProviderError } from '../../ports.ts';

/**
 * A speech library that does what the text says: crashes, refuses, or speaks. `once <path>` says 1, crashes unless the
 * file is there, and says 2.
 */
serveSynthesis(
  () => ({
    speak(job, deliver) {
      if (job.text === 'crash') process.kill(process.pid, 'SIGKILL');
      if (job.text.startsWith('once ')) {
        const [, path] = job.text.split(' ') as [string, string];
        deliver({ pcm: Int16Array.of(1), sampleRate: 16_000 });
        if (!existsSync(path)) {
          writeFileSync(path, '');
          process.kill(process.pid, 'SIGKILL');
        }
        deliver({ pcm: Int16Array.of(2), sampleRate: 16_000 });
        return;
      }
      if (job.text === 'refuse') throw new ProviderError('test', 'bad-request', 'Refused.');
      if (job.text === 'fail') throw new Error('secret detail');
      deliver({ pcm: new Int16Array(10).fill(job.text.length), sampleRate: 16_000 });
    },
  }),
  'Not installed.',
);
