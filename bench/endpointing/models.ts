import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSmartTurn } from '../../models/end-of-turn/smart-turn.ts';
import { packageFile, packageFolder } from '../../models/packages/installed.ts';
import { knownPackages } from '../../models/packages/known.ts';
import type { ModelPackage } from '../../models/packages/model-package.ts';
import { loadFinalPass } from '../../models/sherpa/sherpa-onnx.ts';
import { retryOnLoop } from '../../models/stt/incremental/retry-on-loop.ts';
import { createSileroVad } from '../../models/vad/silero.ts';
import type { Models } from './hearing-session.ts';
import { withKnownAnswers } from './known-answers.ts';

/**
 * @param knownAnswers a file of what they said in earlier runs, or null.
 * @returns Whisper tiny, smart-turn and the VAD of this folder. @throws when one was not fetched.
 */
export function openModels(folder: string, knownAnswers: string | null = null): Models {
  const whisper = published('whisper-tiny-en');
  if (whisper.engine.type !== 'whisper' || !existsSync(join(packageFolder(folder, whisper), whisper.engine.encoder)))
    throw new Error(
      `${whisper.id} is not in ${folder}. Fetch it: node scripts/models.ts fetch ${whisper.id} smart-turn`,
    );
  const understand = loadFinalPass(whisper.engine, {
    folder: packageFolder(folder, whisper),
    provider: 'cpu',
    threads: 1,
  });
  const read = retryOnLoop(understand);
  const models = {
    vad: createSileroVad(),
    endOfTurn: loadSmartTurn(packageFile(folder, published('smart-turn'))),
    read: (samples: Float32Array) => read(samples, 'en'),
  };
  return withKnownAnswers(models, knownAnswers);
}

function published(id: string): ModelPackage {
  const found = knownPackages(null).find((each) => each.id === id);
  if (found === undefined) throw new Error(`No package is named ${id}.`);
  return found;
}
