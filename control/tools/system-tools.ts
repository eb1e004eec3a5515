import type { SystemAction } from '../../actors/session-config.ts';

/** What the service itself can do when the LLM asks for it: description and arguments are built in. */
export const systemActions = [
  'change_language',
  'skip_turn',
  'pause_conversation',
  'end_call',
  'interrupt',
] as const satisfies readonly SystemAction[];

interface SystemTool {
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

export const SYSTEM_TOOLS: Readonly<Record<SystemAction, SystemTool>> = {
  change_language: {
    description:
      'Switches speech recognition to another language. Call it when the user starts to speak, or asks to speak, another language.',
    parameters: {
      type: 'object',
      properties: {
        language_code: {
          type: 'string',
          description: 'ISO 639-1 code of the language that the user speaks, for example "de".',
        },
      },
      required: ['language_code'],
    },
  },
  skip_turn: {
    description: 'Says nothing now and waits for the user. Call it when the user asks for a moment or is thinking.',
    parameters: {
      type: 'object',
      properties: {
        timeout_seconds: {
          type: 'number',
          exclusiveMinimum: 0,
          maximum: 900,
          default: 30,
          description: 'How long to wait before asking whether the user is still there.',
        },
      },
    },
  },
  pause_conversation: {
    description:
      'Pauses the conversation until the user speaks again. Call it when the user wants to be left alone for some minutes.',
    parameters: {
      type: 'object',
      properties: {
        duration_seconds: {
          type: 'number',
          minimum: 1,
          maximum: 600,
          default: 600,
          description: 'Longest pause in seconds.',
        },
      },
    },
  },
  end_call: {
    description:
      'Ends the conversation. Unless the user has plainly asked to end it, call it unconfirmed first, ask the user, and call it again confirmed.',
    parameters: {
      type: 'object',
      properties: {
        confirmed: {
          type: 'boolean',
          default: false,
          description: 'True when the user has said that the conversation may end.',
        },
      },
    },
  },
  interrupt: { description: 'Stops what the persona is saying.', parameters: NO_ARGUMENTS },
};

export function isSystemAction(text: string): text is SystemAction {
  return (systemActions as readonly string[]).includes(text);
}
