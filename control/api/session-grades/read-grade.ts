import { checkArguments } from '../../../actors/tools/schema/index.ts';
import type { Grading } from '../personas/grading-schema.ts';
import { findJson } from './find-json.ts';

/** Characters that are kept of what an LLM writes. */
const MAX_SUMMARY_LENGTH = 4000;
const MAX_REASON_LENGTH = 1000;
const MAX_FIELDS_SIZE = 16_384;

export interface CriterionVerdict {
  readonly name: string;
  /** Null: the conversation does not show it. */
  readonly passed: boolean | null;
  readonly why: string;
}

export interface Grade {
  readonly summary: string | null;
  readonly criteria: readonly CriterionVerdict[];
  readonly fields: Readonly<Record<string, unknown>> | null;
}

/** @returns the grade as far as the answer has it, with what is wrong, in words for the LLM. Null: it has none. */
export function readGrade(
  answer: string,
  grading: Grading,
): { readonly grade: Grade; readonly faults: string[] } | null {
  const object = findJson(answer, (one) => 'summary' in one || 'criteria' in one || 'fields' in one);
  if (object === null) return null;
  const summary = typeof object['summary'] === 'string' ? object['summary'].trim().slice(0, MAX_SUMMARY_LENGTH) : '';
  const criteria = grading.criteria.map(({ name }, index) => verdictOf(object['criteria'], name, index));
  const fields = fieldsOf(object['fields'], grading.fields);
  return {
    grade: {
      summary: grading.summary && summary !== '' ? summary : null,
      criteria: criteria.map(({ verdict }) => verdict),
      fields: fields.value,
    },
    faults: [
      ...(grading.summary && summary === '' ? ['summary is missing'] : []),
      ...criteria.flatMap(({ fault }) => fault ?? []),
      ...fields.faults,
    ],
  };
}

/** What criterion number `index` is called in the request. */
export const keyOf = (index: number): string => `c${index + 1}`;

/** @param criteria by their keys or names, or in their order. */
function verdictOf(
  criteria: unknown,
  name: string,
  index: number,
): { readonly verdict: CriterionVerdict; readonly fault: string | null } {
  const among = (criteria ?? {}) as Readonly<Record<string, unknown>>;
  const given = Array.isArray(criteria) ? criteria[index] : (among[keyOf(index)] ?? among[name]);
  const { passed, why } = (given !== null && typeof given === 'object' ? given : { passed: given }) as {
    readonly passed?: unknown;
    readonly why?: unknown;
  };
  const verdict = {
    name,
    passed: truthOf(passed),
    why: typeof why === 'string' ? why.trim().slice(0, MAX_REASON_LENGTH) : '',
  };
  return { verdict, fault: passed === undefined ? `criteria.${keyOf(index)}.passed is missing` : null };
}

function truthOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  if (/^(true|yes|pass(ed)?)$/i.test(value.trim())) return true;
  return /^(false|no|fail(ed)?)$/i.test(value.trim()) ? false : null;
}

/** Fields that do not fit are left out. No field is required: the conversation may say nothing of it. */
function fieldsOf(
  given: unknown,
  schema: Grading['fields'],
): { readonly value: Grade['fields']; readonly faults: string[] } {
  if (schema === null) return { value: null, faults: [] };
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { value: {}, faults: ['fields is missing'] };
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  const value: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const said = Object.hasOwn(given, name) ? (given as Readonly<Record<string, unknown>>)[name] : null;
    if (said === null) continue;
    const one = { [name]: said };
    const wrong = checkArguments({ ...schema, required: [], properties: { [name]: property } }, one);
    if (wrong.length > 0) faults.push(...wrong.map((fault) => `fields.${fault}`));
    else value[name] = one[name];
  }
  if (JSON.stringify(value).length > MAX_FIELDS_SIZE) return { value: {}, faults: ['fields is too large'] };
  return { value, faults };
}
