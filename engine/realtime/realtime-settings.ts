import { z } from 'zod';
import type { ToolDefinition } from '../../actors/session-config.ts';
import { schemaProblem } from '../../actors/tools/schema/schema-problem.ts';
import { type AudioFormat, formatOf, releasedFormat } from './audio-format.ts';

/** What a Realtime client has set; the rest is the persona's own. */
export interface RealtimeSettings {
  readonly instructions: string;
  readonly tools: readonly FunctionTool[];
  readonly input: AudioFormat;
  readonly output: AudioFormat;
  /** `null`: the client says when the user has finished. */
  readonly turnDetection: 'server_vad' | 'semantic_vad' | null;
}

export const DEFAULT_SETTINGS: RealtimeSettings = {
  instructions: '',
  tools: [],
  input: 'pcm16',
  output: 'pcm16',
  turnDetection: 'server_vad',
};

const MAX_INSTRUCTIONS_LENGTH = 32 * 1024;
const MAX_TOOLS = 128;
/** How long a client may take for a function, seconds. */
const TOOL_SECONDS = 60;

const functionTool = z.object({
  type: z.literal('function', 'only functions are taken; other tools are the persona’s own'),
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().max(4_096).default(''),
  parameters: z
    .record(z.string(), z.unknown())
    .default({ type: 'object', properties: {} })
    .superRefine((schema, context) => {
      const problem = schemaProblem(schema);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem.message });
    }),
});
type FunctionTool = z.infer<typeof functionTool>;

const audioType = z.string().refine((type) => formatOf(type) !== null, 'must be audio/pcm, audio/pcmu or audio/pcma');
const format = z.union([
  audioType,
  z.object({
    type: audioType,
    rate: z
      .number()
      .nullish()
      .refine((rate) => rate == null || rate === 24_000 || rate === 8_000, 'must be 24000'),
  }),
]);
const yes = z.literal(true, 'cannot be false: the persona answers and stops by itself').nullish();
const turnDetection = z
  .object({ type: z.enum(['server_vad', 'semantic_vad']), create_response: yes, interrupt_response: yes })
  .nullable();
const modalities = z
  .array(z.enum(['audio', 'text']))
  .refine((list) => list.includes('audio'), 'must contain audio: a persona speaks; its words come as a transcript');

/** Both interfaces; fields that are not listed are the persona's own, and not looked at. */
export const sessionUpdate = z
  .object({
    type: z.literal('realtime', 'must be realtime').optional(),
    instructions: z.string().max(MAX_INSTRUCTIONS_LENGTH),
    tools: z.array(functionTool).max(MAX_TOOLS),
    tool_choice: z.literal('auto', 'must be auto'),
    output_modalities: modalities,
    modalities,
    input_audio_format: format,
    output_audio_format: format,
    turn_detection: turnDetection,
    audio: z
      .object({
        input: z.object({ format: format.nullable(), turn_detection: turnDetection }).partial().nullable(),
        output: z.object({ format: format.nullable() }).partial().nullable(),
      })
      .partial(),
  })
  .partial();

export function updated(before: RealtimeSettings, update: z.infer<typeof sessionUpdate>): RealtimeSettings {
  const { audio } = update;
  const detection = audio?.input?.turn_detection === undefined ? update.turn_detection : audio.input.turn_detection;
  return {
    instructions: update.instructions ?? before.instructions,
    tools: update.tools ?? before.tools,
    input: read(audio?.input?.format ?? update.input_audio_format) ?? before.input,
    output: read(audio?.output?.format ?? update.output_audio_format) ?? before.output,
    turnDetection: detection === undefined ? before.turnDetection : (detection?.type ?? null),
  };
}

function read(given: z.infer<typeof format> | undefined): AudioFormat | null {
  return given === undefined ? null : formatOf(typeof given === 'string' ? given : given.type);
}

export function clientTools({ tools }: RealtimeSettings): readonly Extract<ToolDefinition, { kind: 'client' }>[] {
  return tools.map(({ name, description, parameters }) => ({
    kind: 'client',
    name,
    description,
    parameters,
    awaitResult: true,
    toolTimeoutSeconds: TOOL_SECONDS,
    disableInterruptions: false,
  }));
}

/** What a client is told that its session is. */
export function described(
  settings: RealtimeSettings,
  session: { readonly id: string; readonly model: string },
  names: 'released' | 'beta',
) {
  const { instructions, tools, input, output } = settings;
  const detection =
    settings.turnDetection === null
      ? null
      : { type: settings.turnDetection, create_response: true, interrupt_response: true };
  const common = { ...session, object: 'realtime.session', instructions, tools, tool_choice: 'auto' };
  if (names === 'beta')
    return {
      ...common,
      modalities: ['audio', 'text'],
      voice: 'persona',
      input_audio_format: input,
      output_audio_format: output,
      input_audio_transcription: { model: 'persona' },
      turn_detection: detection,
    };
  return {
    ...common,
    type: 'realtime',
    output_modalities: ['audio'],
    audio: {
      input: { format: releasedFormat(input), transcription: { model: 'persona' }, turn_detection: detection },
      output: { format: releasedFormat(output), voice: 'persona', speed: 1 },
    },
  };
}
