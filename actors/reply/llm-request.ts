import type { LlmMessage, ToolSpec } from '../../models/ports.ts';
import { canAct } from '../director-cues/director-cue.ts';
import { addUser } from '../history/conversation-history.ts';
import { llmMessages } from '../history/history-window.ts';
import { assembleSystemPrompt } from '../history/system-prompt.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { sessionLanguages } from '../settings/session-languages.ts';
import { systemToolSpec } from '../tools/system-tools.ts';

/** The tools of the persona as the LLM sees them. */
export function toolSpecs(env: SessionEnvironment): readonly ToolSpec[] {
  return env.config.tools.map((tool) => {
    if (tool.kind === 'system') return systemToolSpec(tool, sessionLanguages(env.config));
    const { name, description, parameters } = tool;
    return { name, description, parameters, ...(tool.kind === 'rag' && { searchesDocuments: true }) };
  });
}

export interface LlmQuestion {
  /** What the user probably said, while it is not certain: the LLM is asked, but nothing is remembered. */
  readonly tentative: string | null;
  /** A request of the service itself, never remembered. */
  readonly instruction: string | null;
  readonly tools: readonly ToolSpec[];
}

/** Asks the LLM. @returns the id of the request. */
export function requestLlm(env: SessionEnvironment, correlationId: string, question: LlmQuestion): string {
  const requestId = env.ids.uuid();
  const messages = messagesFor(env, question);
  const { tools } = question;
  env.perform({ type: 'llm.request', requestId, messages, tools, correlationId, language: env.memory.spokenLanguage });
  return requestId;
}

function messagesFor(env: SessionEnvironment, question: LlmQuestion): readonly LlmMessage[] {
  const { config, memory } = env;
  const history =
    question.tentative === null
      ? memory.history
      : addUser(memory.history, { id: 'tentative', text: question.tentative });
  return llmMessages({
    history,
    systemPrompt: assembleSystemPrompt({
      systemPrompt: config.systemPrompt,
      personality: config.personality,
      style: config.directorNotes?.customStylePrompt ?? null,
      language: config.languageCode,
      languages: sessionLanguages(config),
      tools: question.tools,
      canAct: canAct(config.avatar.model),
    }),
    ...(question.instruction === null ? {} : { instruction: question.instruction }),
  });
}
