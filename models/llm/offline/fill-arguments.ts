import { inLabel } from './label.ts';
import { numbersIn } from './numbers.ts';
import type { Scene } from './scene.ts';
import { propertiesOf, requiredOf } from './system-tools.ts';
import { stem, wordsOf } from './words.ts';
import type { ToolSpec } from '../../ports.ts';

export interface FilledArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** Required arguments that the words do not give. */
  readonly missing: readonly string[];
}

/** Fills a tool's arguments from the words, as far as simple rules can. */
export function fillArguments(tool: ToolSpec, said: string, scene: Scene): FilledArguments {
  const args: Record<string, unknown> = {};
  const numbers = numbersIn(wordsOf(said));
  const required = requiredOf(tool);
  for (const [name, schema] of Object.entries(propertiesOf(tool))) {
    const value = valueFor(name, schema, said, scene, numbers, required.includes(name));
    if (value !== undefined) args[name] = value;
  }
  return { args, missing: required.filter((name) => !Object.hasOwn(args, name)) };
}

function valueFor(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  said: string,
  scene: Scene,
  numbers: number[],
  required: boolean,
): unknown {
  if (Array.isArray(schema.enum)) return mentioned(schema.enum, said);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numbers.shift();
    case 'boolean':
      return required ? !/\b(no|not|don't|off|without|disable|false)\b/i.test(said) : undefined;
    case 'array': {
      const items = schema.items as { enum?: unknown[] } | undefined;
      const values = Array.isArray(items?.enum)
        ? items.enum.filter((value) => mentioned([value], said) !== undefined)
        : [];
      return values.length > 0 || required ? values : undefined;
    }
    case 'string':
    case undefined:
      return textFor(
        `${name} ${typeof schema.description === 'string' ? schema.description : ''}`,
        name,
        String(schema.format ?? ''),
        said,
        scene,
        required,
      );
    default:
      return undefined;
  }
}

function mentioned(values: readonly unknown[], said: string): unknown {
  const stems = wordsOf(said).map(stem);
  return values.find((value) => {
    const words = wordsOf(inLabel(String(value))).map(stem);
    return words.length > 0 && words.every((word) => stems.includes(word));
  });
}

const EMAIL = /[\w.+-]+@[\w-]+\.[\w.]+/;
const PHONE = /\+?\d[\d\s()/-]{5,}\d/;
const WEB = /https?:\/\/\S+|\b[\w-]+\.(?:com|org|net|io|eu|de)\b\S*/i;
const PLACE = /\b(?:in|at|from|to|near|for|around)\s+((?:the\s+)?[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*)/u;
const TIME = /\b(\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock)|\d{1,2}:\d{2}|noon|midnight)\b/i;
const DAY =
  /\b(today|tonight|tomorrow|yesterday|(?:next |this |on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\d{4}-\d{2}-\d{2})\b/i;
/** The text after a verb of saying, or after a colon. */
const QUOTED =
  /["“„«](.+?)["”“»]|\b(?:that says|saying|says|say|called|named|titled|about|regarding|that|search for|look up|find|order|buy|book|play|show me|show|open|a message)\s+(.+)$/i;

/** The kind of text that an argument needs, by its name and description. The first match counts. */
function textFor(
  hints: string,
  name: string,
  format: string,
  said: string,
  scene: Scene,
  required: boolean,
): string | undefined {
  const about = inLabel(hints);
  if (format === 'email' || /\be ?mail\b/.test(about)) return EMAIL.exec(said)?.[0];
  if (/\bphone|telephone|mobile\b/.test(about)) return PHONE.exec(said)?.[0]?.trim();
  if (format === 'uri' || /\b(url|link|website)\b/.test(inLabel(name))) return WEB.exec(said)?.[0];
  if (format === 'date' || /\b(date|day)\b/.test(inLabel(name))) return dayOf(DAY.exec(said)?.[1], format, scene.now);
  if (format === 'time' || /\btime\b/.test(inLabel(name))) return TIME.exec(said)?.[1];
  if (/\b(user|customer|guest|person|your|full|first)? ?name\b/.test(inLabel(name)) && scene.userName !== null)
    return scene.userName;
  if (/\b(city|place|location|town|country|destination|address|where|region)\b/.test(about))
    return PLACE.exec(said)?.[1]?.replace(/^the /, '');
  if (/\b(query|question|text|message|prompt|search|content|request|note|reason|summary|topic)\b/.test(inLabel(name)))
    return rest(said) ?? said;
  return rest(said) ?? (required ? lastWords(said) : undefined);
}

function rest(said: string): string | undefined {
  const found = QUOTED.exec(said);
  return (
    (found?.[1] ?? found?.[2])
      ?.replace(/[.!?]+$/, '')
      .replace(/^(?:me |us )?(?:an? |the |some )?/i, '')
      .trim() || undefined
  );
}

/** The noun at the end of a wish: "I'd like a large pizza, please" → "large pizza". */
function lastWords(said: string): string | undefined {
  const found = /\b(?:an?|the|some|my|of|with|to|is|it's)\s+([\p{L}\p{N}' -]+?)(?:,?\s*please)?[.!?]*$/iu.exec(
    said,
  )?.[1];
  return found === undefined || found.split(' ').length > 5 ? undefined : found.trim();
}

function dayOf(word: string | undefined, format: string, now: Date): string | undefined {
  if (word === undefined || format !== 'date' || /^\d/.test(word)) return word;
  const offset = { today: 0, tonight: 0, tomorrow: 1, yesterday: -1 }[word.toLowerCase()];
  const weekday = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].indexOf(
    word.toLowerCase().replace(/^(next|this|on) /, ''),
  );
  const days = offset ?? ((weekday - now.getUTCDay() + 6) % 7) + 1;
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
