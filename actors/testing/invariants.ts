import type { PerformedCommand } from './simulated-session.ts';

/** What must hold of every session, whatever happens in it. @returns the violations, in words; none is the aim. */
export function violations(commands: readonly PerformedCommand[]): string[] {
  return [
    ...chunkViolations(commands),
    ...userMarkViolations(commands),
    ...toolViolations(commands),
    ...endViolations(commands),
    ...duckViolations(commands),
    ...orderViolations(commands),
  ];
}

/** Message ids and content indexes rise; a message ends once, and nothing follows its end. */
function chunkViolations(commands: readonly PerformedCommand[]): string[] {
  const found: string[] = [];
  const open = new Map<string, { next: number; ended: boolean }>();
  let speaking: string | null = null;
  for (const { command } of commands) {
    if (command.type !== 'message.send' || command.message.messageType !== 'speechText') continue;
    const { data } = command.message;
    const key = `${data.role} ${data.message_id}`;
    const message = open.get(key) ?? { next: 0, ended: false };
    if (message.ended) found.push(`chunk after the end of ${key}`);
    if (data.content_index !== message.next)
      found.push(`chunk ${data.content_index} of ${key} where ${message.next} was due`);
    if (data.interrupted && !data.end_of_speech) found.push(`an interrupted chunk does not end ${key}`);
    if (data.role === 'user' && (data.content_index !== 0 || !data.end_of_speech || data.interrupted))
      found.push(`a user message in parts: ${key}`);
    if (data.role === 'persona') {
      if (speaking !== null && speaking !== key) found.push(`${key} begins before ${speaking} has ended`);
      speaking = data.end_of_speech ? null : key;
    }
    open.set(key, { next: message.next + 1, ended: data.end_of_speech });
  }
  return found;
}

/** `userSpeechStarted` and `userSpeechEnded` take turns, with one id per pair. */
function userMarkViolations(commands: readonly PerformedCommand[]): string[] {
  const found: string[] = [];
  let open: string | null = null;
  for (const { command } of commands) {
    if (command.type !== 'message.send') continue;
    const { message } = command;
    if (message.messageType === 'userSpeechStarted') {
      if (open !== null) found.push('the user starts to speak twice');
      open = message.data.user_action_correlation_id;
    } else if (message.messageType === 'userSpeechEnded') {
      if (open !== message.data.user_action_correlation_id) found.push('the user stops without having started');
      open = null;
    }
  }
  return found;
}

/** Each call is announced once and ends at most once. One that cannot be made fails without being announced. */
function toolViolations(commands: readonly PerformedCommand[]): string[] {
  const found: string[] = [];
  const state = new Map<string, 'started' | 'ended'>();
  const run = new Set<string>();
  for (const { command } of commands) {
    if (command.type === 'tool.run') {
      if (run.has(command.callId)) found.push(`${command.callId} runs twice`);
      run.add(command.callId);
    }
    if (command.type !== 'message.send') continue;
    const { message } = command;
    if (message.messageType === 'toolCallStarted') {
      if (state.has(message.data.tool_call_id)) found.push(`${message.data.tool_call_id} starts twice`);
      state.set(message.data.tool_call_id, 'started');
    } else if (message.messageType === 'toolCallCompleted' || message.messageType === 'toolCallFailed') {
      const before = state.get(message.data.tool_call_id);
      if (before === 'ended' || (before === undefined && message.messageType === 'toolCallCompleted'))
        found.push(`${message.data.tool_call_id} ends twice, or before it starts`);
      state.set(message.data.tool_call_id, 'ended');
    }
  }
  return found;
}

/** The end is reported once, closing is the last command, and both or neither happen. */
function endViolations(commands: readonly PerformedCommand[]): string[] {
  const found: string[] = [];
  const closes = commands.filter(({ command }) => command.type === 'session.close').length;
  const ends = commands.filter(({ command }) => command.type === 'report' && command.entry.kind === 'end').length;
  if (closes !== ends || closes > 1) found.push(`${closes} closes and ${ends} end reports`);
  if (closes === 1 && commands.at(-1)?.command.type !== 'session.close') found.push('closing is not the last command');
  return found;
}

function duckViolations(commands: readonly PerformedCommand[]): string[] {
  let ducked = false;
  const found: string[] = [];
  for (const { command } of commands) {
    if (command.type === 'speech.duck') {
      if (ducked) found.push('ducked twice');
      ducked = true;
    } else if (command.type === 'speech.unduck') {
      if (!ducked) found.push('unducked without having been ducked');
      ducked = false;
    }
  }
  return found;
}

/** A user's message comes before everything that answers it. */
function orderViolations(commands: readonly PerformedCommand[]): string[] {
  const found: string[] = [];
  const answered = new Set<string>();
  for (const { command } of commands) {
    if (command.type !== 'message.send') continue;
    const { message } = command;
    if (message.messageType === 'toolCallStarted') answered.add(message.data.user_action_correlation_id);
    if (message.messageType !== 'speechText') continue;
    if (message.data.role === 'persona') answered.add(message.data.user_action_correlation_id);
    else if (answered.has(message.data.user_action_correlation_id)) found.push('an answer comes before its question');
  }
  return found;
}
