import type { LlmMessage, ToolSpec } from '../../models/ports.ts';
import { writesCues } from '../director-cues/director-cue.ts';
import { addUser, type SpokenWords } from '../history/conversation-history.ts';
import { llmMessages } from '../history/history-window.ts';
import { asInstruction, serviceMark } from '../phrases/service-mark.ts';
import { assembleSystemPrompt } from '../history/system-prompt.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { sessionTools } from '../session-memory.ts';
import { meetingInstructions } from '../meeting/meeting-prompt.ts';
import { sessionLanguages } from '../settings/session-languages.ts';
import { systemToolSpec } from '../tools/system-tools.ts';

type ToolsOf = Pick<SessionEnvironment, 'config'> & Partial<Pick<SessionEnvironment, 'memory'>>;

/** The persona's tools in the LLM's form. */
export function toolSpecs(env: ToolsOf): readonly ToolSpec[] {
  return sessionTools(env).map((tool) => {
    if (tool.kind === 'system') return systemToolSpec(tool, sessionLanguages(env.config));
    const { name, description, parameters } = tool;
    return { name, description, parameters, ...(tool.kind === 'rag' && { searchesDocuments: true }) };
  });
}

export interface LlmQuestion {
  /** The user's probable words. The LLM is asked, but nothing enters the history. */
  readonly tentative: readonly SpokenWords[] | null;
  /** An instruction of the service itself. It does not enter the history. */
  readonly instruction: string | null;
  readonly tools: readonly ToolSpec[];
  /**
   * The text of the broken answer that was passed to delivery: only the rest is requested. Empty: the whole answer is.
   */
  readonly said: string;
  /** The LLM is asked whether there is anything to say. */
  readonly mayBeEmpty?: boolean;
}

/**
 * The instruction to continue an answer. Most APIs cannot continue a message of the assistant (Claude from 4.6 on
 * refuses one at the end), so every LLM gets this instruction. It has the form of `instruction`, which every API
 * accepts.
 */
const THE_REST =
  'A technical problem cut off your answer after the words above. The user hears all of them. ' +
  'Write only the rest, in the same language, from exactly there: repeat nothing, do not begin anew, ' +
  'and do not mention the problem. If the answer is complete, write nothing.';

/** Asks the LLM. @returns the id of the request. */
export function requestLlm(env: SessionEnvironment, correlationId: string, question: LlmQuestion): string {
  const requestId = env.ids.uuid();
  const messages = messagesFor(env, question);
  const { tools, said } = question;
  env.perform({
    type: 'llm.request',
    requestId,
    messages,
    tools,
    correlationId,
    language: env.memory.spokenLanguage,
    ...((question.mayBeEmpty === true || said !== '') && { mayBeEmpty: true }),
  });
  return requestId;
}

function messagesFor(env: SessionEnvironment, question: LlmQuestion): readonly LlmMessage[] {
  const { config, memory } = env;
  const mark = serviceMark(env.ids);
  const history = (question.tentative ?? []).reduce(
    (before, words) => addUser(before, { id: 'tentative', ...words }),
    memory.history,
  );
  const messages = llmMessages({
    history,
    systemPrompt: assembleSystemPrompt({
      systemPrompt: `${config.systemPrompt}\n\n${memory.instructed.instructions}`,
      personality: config.personality,
      style: config.directorNotes?.customStylePrompt ?? null,
      meeting: meetingInstructions(config, memory.meeting),
      language: config.languageCode,
      languages: sessionLanguages(config),
      tools: question.tools,
      canAct: writesCues(config),
      mark,
    }),
    mark,
    ...(question.instruction === null ? {} : { instruction: question.instruction }),
  });
  if (question.said === '') return messages;
  return [
    ...messages,
    { role: 'assistant', content: question.said },
    { role: 'user', content: asInstruction(mark, THE_REST) },
  ];
}
