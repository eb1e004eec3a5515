import { withoutServiceMark } from '../phrases/service-mark.ts';
import type { SessionCommand, SessionCommandType } from '../commands.ts';
import type { SessionEventType } from '../events.ts';
import type { SessionConfig } from '../session-config.ts';
import { SYSTEM_TOOLS } from '../tools/system-tools.ts';

/**
 * Version 1 of the log has other names for events, commands and settings, and says nothing else. Logs are kept for
 * weeks and attached to reports of defects, so these names are read for as long as logs of that version may turn up.
 */

const EVENTS: Readonly<Record<string, SessionEventType>> = {
  'hearing.window': 'vad.window',
  'hearing.partial': 'stt.partial',
  'hearing.final': 'stt.final',
  'hearing.failed': 'stt.failed',
  'hearing.endOfTurn': 'endOfTurn.predicted',
  'hearing.enhancementUnavailable': 'enhancement.unavailable',
  'mind.text': 'llm.text',
  'mind.reasoning': 'llm.reasoning',
  'mind.toolCall': 'llm.toolCall',
  'mind.done': 'llm.done',
  'mind.failed': 'llm.failed',
};

const COMMANDS: Readonly<Record<string, SessionCommandType>> = {
  'hearing.finish': 'stt.finish',
  'hearing.reset': 'stt.reset',
  'hearing.configure': 'audioIn.configure',
  'hearing.askEndOfTurn': 'endOfTurn.predict',
  'mind.ask': 'llm.request',
  'mind.cancel': 'llm.cancel',
};

const OLD_COMMANDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([old, name]) => [name, old]),
);

/** Stages of a turn, from their present names. */
const OLD_STAGES: Readonly<Record<string, string>> = {
  llmRequestedAt: 'mindAskedAt',
  llmFirstOutputAt: 'mindFirstOutputAt',
  llmFinalOutputAt: 'mindFinalOutputAt',
};

export function eventType(old: string): string {
  return EVENTS[old] ?? old;
}

export function commandType(old: string): string {
  return COMMANDS[old] ?? old;
}

/** What of a configuration another version wrote; a log may be of any service. */
type OldConfig = Omit<SessionConfig, 'tools'> & {
  readonly tools?: SessionConfig['tools'];
  readonly mind?: SessionConfig['llm'];
};

export function sessionConfig({ mind, tools = [], ...config }: OldConfig): SessionConfig {
  // The LLM got the description of the service then, whatever the configuration said.
  const described = tools.map((tool) =>
    tool.kind === 'system' ? { ...tool, description: SYSTEM_TOOLS[tool.action].description } : tool,
  );
  return { ...config, tools: described, ...(mind !== undefined && { llm: mind }) };
}

/** @returns the command as version 1 wrote it, for the digest that stands in the log. */
export function oldCommand(command: SessionCommand): object {
  const type = OLD_COMMANDS[command.type] ?? command.type;
  if (command.type === 'llm.request') {
    const [first, ...rest] = command.messages;
    const prompt = first?.role === 'system' ? [{ ...first, content: withoutServiceMark(first.content) }] : [first];
    return { ...command, type, messages: [...prompt, ...rest] };
  }
  if (command.type !== 'report') return { ...command, type };
  const { entry } = command;
  if (entry.kind === 'turn') return { type, entry: { ...entry, turn: renamed(entry.turn, OLD_STAGES) } };
  if (entry.kind === 'error' && entry.code === 'llm_failed') return { type, entry: { ...entry, code: 'mind_failed' } };
  return command;
}

function renamed(record: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names[key] ?? key, value]));
}
