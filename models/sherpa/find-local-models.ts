import { processCores } from '../../runtime/process-share.ts';
import { installedIdentity, packageFolder, packageState } from '../packages/installed.ts';
import { hasCoresFor, type EngineOf, type ModelEngine, type ModelPackage } from '../packages/model-package.ts';
import { executionProvider, threadsFor } from './execution.ts';
import type { LocalModel, LocalModels, LocalRecognizer, LocalVoice } from './local-model.ts';
import { measureSpeed } from './measure-speed.ts';
import { readSpeeds, writeSpeeds, type MeasuredSpeed } from './measured-speeds.ts';
import type { VoiceEngine } from './sherpa-onnx.ts';
import { speechClip } from './speech-clip.ts';
import { isTimed, SLOWEST, type TimedKind } from './speed-limits.ts';
import { trialSentence } from './trial-sentences.ts';

/** What became of a package that is here, for the log and the start. */
export interface LocalModelNote {
  readonly id: string;
  readonly title: string;
  readonly kind: ModelPackage['kind'];
  readonly state: 'used' | 'too slow' | 'too few cores' | 'unusable' | 'damaged';
  /** Null where nothing was measured. */
  readonly realTimeFactor: number | null;
  /** Why it is unusable. */
  readonly problem: string | null;
}

export interface FoundModels extends LocalModels {
  readonly notes: readonly LocalModelNote[];
}

export interface FindOptions {
  /** `fast`: those that the machine is fast enough for. `all`: slow ones, too. */
  readonly choose: 'fast' | 'all';
  /** What this process plans with. @defaultValue its part of the machine */
  readonly cores?: number;
  /** Whether they are tried here first: a process that only offers them does not. @defaultValue true */
  readonly measure?: boolean;
  /** Told before a model is measured: that takes seconds. */
  readonly measuring?: (id: string) => void;
}

export const NO_MODELS: FoundModels = { recognizers: [], voices: [], speeds: {}, notes: [] };

/**
 * What was fetched into the models folder and can be used on this machine. What was not measured here yet is tried now,
 * one after the other, each in a process of its own; the figures are kept in the folder.
 * @param known in the order of preference.
 */
export async function findLocalModels(
  modelsDir: string,
  known: readonly ModelPackage[],
  { choose, cores = processCores(), measure = true, measuring = () => {} }: FindOptions,
): Promise<FoundModels> {
  const run = { provider: executionProvider(), threads: threadsFor() };
  const speeds = await readSpeeds(modelsDir);
  const usable: ModelPackage[] = [];
  const notes: LocalModelNote[] = [];
  let clip: Int16Array | null = null;
  for (const each of known) {
    const { id, title, kind, languages } = each;
    if (!isTimed(kind)) continue;
    const state = await packageState(modelsDir, each);
    if (state === 'absent') continue;
    const note = (what: LocalModelNote['state'], speed: MeasuredSpeed | null): void => {
      notes.push({
        id,
        title,
        kind,
        state: what,
        realTimeFactor: speed?.realTimeFactor ?? null,
        problem: speed?.problem ?? null,
      });
    };
    if (state === 'damaged') {
      note('damaged', null);
      continue;
    }
    if (choose === 'fast' && !hasCoresFor(each, cores)) {
      note('too few cores', null);
      continue;
    }
    if (!measure) {
      note('used', null);
      usable.push(each);
      continue;
    }
    // Of another source it may be faster.
    const sha256 = (await installedIdentity(modelsDir, each)) ?? '';
    let speed = speeds.get(id);
    if (speed === undefined || !isOf(speed, { sha256, ...run })) {
      measuring(id);
      clip ??= await speechClip();
      speed = {
        sha256,
        ...run,
        ...(await tried(model(modelsDir, each, run), { clip, sentence: trialSentence(languages) })),
      };
      speeds.set(id, speed);
      await writeSpeeds(modelsDir, speeds);
    }
    const verdict = judge(kind, speed, choose);
    note(verdict, speed);
    if (verdict === 'used') usable.push(each);
  }
  const found = { recognizers: recognizers(modelsDir, usable, run), voices: voices(modelsDir, usable, run) };
  return { ...found, speeds: speedsOf(notes), notes };
}

function speedsOf(notes: readonly LocalModelNote[]): Record<string, number> {
  return Object.fromEntries(
    notes.flatMap(({ id, realTimeFactor }) => (realTimeFactor === null ? [] : [[id, realTimeFactor]])),
  );
}

type Run = Pick<LocalModel<ModelEngine>, 'provider' | 'threads'>;

function isOf(speed: MeasuredSpeed, wanted: Pick<MeasuredSpeed, 'sha256' | 'threads' | 'provider'>): boolean {
  // One that could not be loaded is tried again: its files may have been mended.
  return (
    speed.problem === null &&
    speed.sha256 === wanted.sha256 &&
    speed.threads === wanted.threads &&
    speed.provider === wanted.provider
  );
}

async function tried(
  model: LocalModel<ModelEngine>,
  trial: Parameters<typeof measureSpeed>[1],
): Promise<Pick<MeasuredSpeed, 'realTimeFactor' | 'problem'>> {
  try {
    return { realTimeFactor: await measureSpeed(model, trial), problem: null };
  } catch (error) {
    return { realTimeFactor: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

function judge(kind: TimedKind, { realTimeFactor }: MeasuredSpeed, choose: 'fast' | 'all'): LocalModelNote['state'] {
  if (realTimeFactor === null) return 'unusable';
  return choose === 'all' || realTimeFactor <= SLOWEST[kind] ? 'used' : 'too slow';
}

function model<Engine extends ModelEngine>(
  modelsDir: string,
  { engine, ...each }: ModelPackage & { readonly engine: Engine },
  run: Run,
): LocalModel<Engine> {
  return { id: each.id, folder: packageFolder(modelsDir, { engine, ...each }), engine, ...run };
}

function isOfType<T extends ModelEngine['type']>(
  each: ModelPackage,
  ...types: T[]
): each is ModelPackage & { readonly engine: EngineOf<T> } {
  return (types as string[]).includes(each.engine.type);
}

/**
 * The first recognizer of each language, with the first final pass for it. Where there is none, one of whole
 * utterances.
 */
function recognizers(modelsDir: string, usable: readonly ModelPackage[], run: Run): LocalRecognizer[] {
  const found = new Map<string, LocalRecognizer>();
  const finalPasses = usable.filter((each) => isOfType(each, 'moonshine'));
  for (const each of usable) {
    if (!isOfType(each, 'zipformer')) continue;
    for (const language of each.languages) {
      if (found.has(language)) continue;
      const again = finalPasses.find(({ languages }) => languages.includes(language));
      found.set(language, {
        language,
        streaming: model(modelsDir, each, run),
        finalPass: again === undefined ? null : model(modelsDir, again, run),
      });
    }
  }
  for (const each of usable) {
    if (!isOfType(each, 'whisper')) continue;
    for (const language of each.languages)
      if (!found.has(language))
        found.set(language, { language, streaming: null, finalPass: model(modelsDir, each, run) });
  }
  return [...found.values()];
}

function voices(modelsDir: string, usable: readonly ModelPackage[], run: Run): LocalVoice[] {
  return usable
    .filter((each) => isOfType(each, 'vits', 'kitten', 'kokoro'))
    .flatMap((each) =>
      each.voices.map(({ id, speaker, displayName, gender, country, language, lang = null }) => ({
        name: `${each.id}/${id}`,
        model: model(modelsDir, each as ModelPackage & { engine: VoiceEngine }, run),
        speaker,
        lang,
        languages: language === undefined ? each.languages : [language],
        displayName,
        gender,
        country,
      })),
    );
}
