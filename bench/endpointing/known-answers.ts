import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Models } from './hearing-session.ts';

/**
 * The same sound is read the same: a rule is tuned in seconds where the models would take minutes.
 * @param file of answers from earlier runs, a line each; null: those of this run are known alone. @returns models that are
 * asked once for each sound.
 */
export function withKnownAnswers(models: Models, file: string | null): Models {
  const known = new Map<string, Promise<unknown>>();
  if (file !== null && existsSync(file))
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const [key, answer] = JSON.parse(line) as [string, unknown];
      known.set(key, Promise.resolve(answer));
    }
  const once = <T>(what: string, sound: Int16Array | Float32Array, ask: () => Promise<T>): Promise<T> => {
    const bytes = new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength);
    const key = createHash('sha1').update(what).update(bytes).digest('hex');
    const before = known.get(key) as Promise<T> | undefined;
    if (before !== undefined) return before;
    const asked = ask();
    known.set(key, asked);
    if (file !== null) void asked.then((answer) => appendFileSync(file, `${JSON.stringify([key, answer])}\n`));
    return asked;
  };
  const { endOfTurn } = models;
  return {
    vad: models.vad,
    read: (samples) => once('words', samples, () => models.read(samples)),
    endOfTurn: endOfTurn && {
      predict: (pcm, signal) => once('end', pcm, () => endOfTurn.predict(pcm, signal)),
      close: () => endOfTurn.close(),
    },
  };
}
