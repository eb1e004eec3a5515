import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { DIRECTOR_TAGS } from '../../../actors/director-cues/director-tags.ts';
import { serverMessage } from '../../../actors/messages.ts';
import { END_REASONS } from '../../../actors/report-builder/end-reasons.ts';
import type { EndReason as ServiceEndReason } from '../../../actors/report.ts';
import { WIRE_EXAMPLES } from '../../../actors/testing/wire-examples.ts';
import { DIRECTOR_NOTE_CUE_TAGS } from './client-messages.ts';
import { parseServerMessage } from './server-messages.ts';
import { SERVICE_END_REASONS } from './session-end.ts';

/**
 * The client is a package of its own and imports nothing of the service. What both must know stands in both, and here
 * it is compared.
 */

/** Fields that this client does not pass on: it knows the session, and shows no times. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  speechText: ['timestamp', 'correlationId'],
  reasoningText: ['content_index'],
  userSpeechStarted: ['session_id', 'timestamp'],
  userSpeechEnded: ['session_id', 'timestamp'],
  toolCallStarted: [],
  toolCallCompleted: [],
  toolCallFailed: [],
  personaConfigUpdateApplied: ['session_id'],
  directorNoteCueApplied: ['session_id', 'timestamp_user_action'],
};

it('knows the tags of cues that the service knows', () => {
  expect(DIRECTOR_NOTE_CUE_TAGS).toEqual(DIRECTOR_TAGS);
});

it('knows the reasons for which the service ends sessions', () => {
  expect([...SERVICE_END_REASONS].sort()).toEqual([...END_REASONS].sort());
  expectTypeOf<(typeof SERVICE_END_REASONS)[number]>().toEqualTypeOf<ServiceEndReason>();
});

it('has an example of each message, with all of its fields', () => {
  expect(WIRE_EXAMPLES.map(({ messageType }) => messageType)).toEqual(
    serverMessage.options.map(({ shape }) => shape.messageType.value),
  );
  for (const [index, { data }] of WIRE_EXAMPLES.entries())
    expect(Object.keys(data).sort()).toEqual(Object.keys(serverMessage.options[index]!.shape.data.shape).sort());
});

it.each(WIRE_EXAMPLES)('reads every field of $messageType', (example) => {
  expect(serverMessage.parse(example)).toEqual(example);
  const { messageType, data } = example;
  const parse = (value: object) => parseServerMessage(JSON.stringify({ messageType, data: value }));
  const unread = fieldsOf(messageType)
    .filter(([name, field]) => {
      const changed = { ...data, [name]: another(field, (data as Record<string, unknown>)[name]) };
      return JSON.stringify(parse(changed)) === JSON.stringify(parse(data));
    })
    .map(([name]) => name);
  expect(unread).toEqual(UNUSED[messageType]);
});

interface Field {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Field[];
}

/** The fields of a message that have more than one possible value, with their JSON Schema. */
function fieldsOf(type: string): [string, Field][] {
  const { shape } = serverMessage.options.find((option) => option.shape.messageType.value === type)!;
  const { properties } = z.toJSONSchema(shape.data) as { properties: Record<string, Field> };
  return Object.entries(properties).filter(([, field]) => field.const === undefined);
}

function another(field: Field, value: unknown): unknown {
  const { enum: values } = field.anyOf?.[0] ?? field;
  if (values !== undefined) return values.find((one) => one !== value);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value} and more`;
  if (Array.isArray(value)) return [...value, 'more'];
  return { ...(value as object), more: { before: 1, after: 2 } };
}
