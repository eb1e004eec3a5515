import type { LlmMessage, ToolSpec } from '../../models/ports.ts';
import { writesCues } from '../director-cues/director-cue.ts';
import { addPersona, EMPTY_HISTORY } from '../history/conversation-history.ts';
import { llmMessages } from '../history/history-window.ts';
import { assembleSystemPrompt } from '../history/system-prompt.ts';
import type { IdSource } from '../kernel/clock.ts';
import { serviceMark } from '../phrases/service-mark.ts';
import type { SessionConfig } from '../session-config.ts';
import { isHostedAgent } from '../settings/hosted-agent.ts';
import { sessionLanguages } from '../settings/session-languages.ts';
import { toolSpecs } from './llm-request.ts';

/**
 * How the first request of a session will begin, as far as that is known at its start: the prompt, the tools and a
 * fixed greeting. A server can read it while the greeting is spoken. Null: the first request is made at once, or nobody
 * knows who will be in the meeting.
 */
export function openingRequest(
  config: SessionConfig,
  ids: IdSource,
): { readonly messages: readonly LlmMessage[]; readonly tools: readonly ToolSpec[] } | null {
  const { skip, initialMessage } = config.greeting;
  if (isHostedAgent(config)) return null;
  if (config.meeting !== null || config.llm.kind === 'client' || (!skip && initialMessage === null)) return null;
  const tools = toolSpecs({ config });
  const mark = serviceMark(ids);
  const systemPrompt = assembleSystemPrompt({
    systemPrompt: config.systemPrompt,
    personality: config.personality,
    style: config.directorNotes?.customStylePrompt ?? null,
    meeting: null,
    language: config.languageCode,
    languages: sessionLanguages(config),
    tools,
    canAct: writesCues(config),
    mark,
  });
  const history = skip ? EMPTY_HISTORY : addPersona(EMPTY_HISTORY, { id: 'greeting', spoken: initialMessage ?? '' });
  return { messages: llmMessages({ systemPrompt, history, mark }), tools };
}
