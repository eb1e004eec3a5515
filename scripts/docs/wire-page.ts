import { z } from 'zod';
import { DIRECTOR_TAGS } from '../../actors/director-cues/director-tags.ts';
import { serverMessage } from '../../actors/messages.ts';
import { END_REASONS, endOf } from '../../actors/report-builder/end-reasons.ts';
import { WIRE_EXAMPLES } from '../../actors/testing/wire-examples.ts';
import { GENERATED } from './generated.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** For programs: clients in other languages are tested against it. */
export function wireDocument(): string {
  const document = {
    serverMessages: z.toJSONSchema(serverMessage),
    examples: WIRE_EXAMPLES,
    endReasons: END_REASONS,
    cueTags: DIRECTOR_TAGS,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** For people. */
export function wirePage(): string {
  const sections = serverMessage.options.map((option) => {
    const schema = z.toJSONSchema(option) as Schema;
    const type = String(schema.properties?.['messageType']?.const);
    const example = WIRE_EXAMPLES.find(({ messageType }) => messageType === type);
    return [`### ${type}`, '', ...fieldTable(schema.properties?.['data'] ?? {}), '', ...jsonBlock(example), ''];
  });
  const ends = END_REASONS.map((reason) => `| \`${reason}\` | ${endOf(reason).message} |`);
  return [
    '# Messages to clients',
    '',
    GENERATED,
    '',
    'For those who write a client: what it reads from the service. [wire.json](wire.json) has the same as JSON Schema. Clients ignore fields and messages that they do not know: later versions can have more.',
    '',
    '## Data channel',
    '',
    'Each message is one JSON text: `{ "messageType": …, "data": … }`.',
    '',
    ...sections.flat(),
    '## End of a session',
    '',
    'The last message of the signaling socket has the reason as `code`, and a sentence for people as `payload`:',
    '',
    ...jsonBlock({
      actionType: 'endsession',
      sessionId: '7d0a4f2e-3c57-4a0e-9d0b-7a5f7f0e4a11',
      code: 'end_call',
      payload: endOf('end_call').message,
    }),
    '',
    '| `code` | Sentence |',
    '|---|---|',
    ...ends,
    '',
    '## Director’s cues',
    '',
    `\`cue_tag\`, and the tag of the cues that clients send, is one of ${DIRECTOR_TAGS.map((tag) => `\`${tag}\``).join(', ')}.`,
    '',
  ].join('\n');
}

function fieldTable({ properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${typeOf(field)} | ${field.description ?? ''} |`,
  );
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows];
}

function typeOf({ const: constant, enum: values, anyOf, items, type }: Schema): string {
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return type ?? 'any value';
}

function jsonBlock(value: unknown): string[] {
  return ['```json', JSON.stringify(value, null, 2), '```'];
}
