import { inLabel } from '../label.ts';
import { answerFromPassages, passagesIn } from '../passages.ts';
import { choose, type Answer, type Answerer, type Scene } from '../scene.ts';
import { sentencesOf } from '../words.ts';
import { factFor } from './persona-facts.ts';

const NOTHING_TO_SAY = /^(the turn is skipped|the conversation is paused|stopped speaking|the conversation is ending)/i;

/** Says the results of the tools of this turn. */
export const toolResults: Answerer = (scene) => {
  const last = scene.results.at(-1);
  if (last === undefined) return null;
  const { output, call } = last;
  const { says } = scene.language;
  if (NOTHING_TO_SAY.test(output)) return { quiet: true };
  if (/^not ended yet/i.test(output)) return { say: choose(scene, says.endCall) };
  if (/^speech recognition now listens/i.test(output)) return { say: choose(scene, says.languageChanged) };
  if (/^error\b/i.test(output)) return { say: choose(scene, says.failed) };
  if (/^no result yet/i.test(output)) return { say: choose(scene, says.running) };
  if (/^nothing was found/i.test(output)) return fromElsewhere(scene);
  const passages = passagesIn(output);
  if (passages.length > 0) {
    const found = answerFromPassages(queryOf(call.arguments) ?? scene.said, passages);
    return found === null ? fromElsewhere(scene) : { say: found };
  }
  return { say: spokenResult(output) ?? choose(scene, says.done) };
};

/** The documents have no answer. The persona's description may have one. */
function fromElsewhere(scene: Scene): Answer {
  const fact = factFor(scene);
  return { say: fact ?? choose(scene, scene.language.says.nothingFound) };
}

function queryOf(text: string): string | null {
  try {
    const { query } = JSON.parse(text) as { query?: unknown };
    return typeof query === 'string' ? query : null;
  } catch {
    return null;
  }
}

const MAX_SPOKEN_FIELDS = 5;

/** A tool's result as a sentence. Null: there is nothing to say, for example for "ok". */
function spokenResult(output: string): string | null {
  let value: unknown = output;
  try {
    value = JSON.parse(output);
  } catch {
    // Plain text is spoken unchanged.
  }
  if (typeof value === 'string') {
    if (
      /^(ok|okay|done|success|true|the request was sent.*|done\. the tool returned nothing\.?)\.?$/i.test(value.trim())
    )
      return null;
    return sentencesOf(value).slice(0, 2).join(' ');
  }
  const fields = spokenFields(value, '').slice(0, MAX_SPOKEN_FIELDS);
  return fields.length === 0 ? null : `${fields.join(', ')}.`.replace(/^./, (first) => first.toUpperCase());
}

function spokenFields(value: unknown, label: string): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((item) => spokenFields(item, label));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => spokenFields(inner, inLabel(key)));
  if (typeof value === 'boolean')
    return label === '' || ['ok', 'success'].includes(label) ? [] : [`${label}: ${value ? 'yes' : 'no'}`];
  return [label === '' ? String(value) : `${label}: ${String(value)}`];
}
