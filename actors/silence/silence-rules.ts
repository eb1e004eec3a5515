import { isHostedAgent } from '../settings/hosted-agent.ts';
import type { SessionConfig, VoiceDetection } from '../session-config.ts';

/** How long the session waits for a silent user (contract, section 4). Times left are in ms; null: never. */
export interface SilenceWait {
  readonly promptLeft: number | null;
  readonly endLeft: number | null;
  /** Prompts in a row without any activity of the user. */
  readonly prompts: number;
  readonly warned: 'yes' | 'no';
  /** `skip_turn` asked for this wait before the next prompt; null when it did not. */
  readonly skipMs: number | null;
}

/** Each prompt that nobody answered makes the wait for the next so many times as long: whoever thinks is left alone. */
const LONGER_EACH_TIME = 2;
/** A fourth question to an empty room helps nobody. */
export const PROMPTS_IN_A_ROW = 3;
/** The client is warned this long before the end, if the whole wait is at least twice as long. */
export const WARNING_MS = 10_000;

export type SilenceLimits = Pick<VoiceDetection, 'silenceBeforeSkipTurnSeconds' | 'silenceBeforeSessionEndSeconds'>;

export function prompts(config: Pick<SessionConfig, 'llm' | 'enableAudioPassthrough'>): boolean {
  return config.llm.kind === 'service' && !isHostedAgent(config) && !config.enableAudioPassthrough;
}

/** After activity of the user, and after ordinary speech of the persona: everything from the start. */
export function fromStart(limits: SilenceLimits, canPrompt: boolean): SilenceWait {
  return {
    promptLeft: promptWait(limits, canPrompt),
    endLeft: orNever(limits.silenceBeforeSessionEndSeconds),
    prompts: 0,
    warned: 'no',
    skipMs: null,
  };
}

/** After ordinary speech of the persona: the waits begin again, but it is still the persona alone who speaks. */
export function afterSpeech(wait: SilenceWait, limits: SilenceLimits, canPrompt: boolean): SilenceWait {
  const fresh = fromStart(limits, canPrompt);
  return {
    ...fresh,
    prompts: wait.prompts,
    skipMs: wait.skipMs,
    promptLeft: wait.skipMs ?? (canPrompt ? waitAfter(wait.prompts, limits) : null),
  };
}

/** After a prompt: only the next prompt is counted anew. */
export function afterPrompt(wait: SilenceWait, limits: SilenceLimits): SilenceWait {
  const count = wait.prompts + 1;
  return {
    ...wait,
    prompts: count,
    skipMs: null,
    promptLeft: waitAfter(count, limits),
  };
}

export function elapsed(wait: SilenceWait, ms: number): SilenceWait {
  const less = (left: number | null) => (left === null ? null : Math.max(0, left - ms));
  return { ...wait, promptLeft: less(wait.promptLeft), endLeft: less(wait.endLeft) };
}

/** `skip_turn` replaces the wait for a prompt; where there are no prompts it changes nothing. */
export function skipTo(wait: SilenceWait, timeoutMs: number, limits: SilenceLimits, canPrompt: boolean): SilenceWait {
  return promptWait(limits, canPrompt) === null ? wait : { ...wait, promptLeft: timeoutMs, skipMs: timeoutMs };
}

/** @param prompts that nobody answered. Null: there is no further one. */
function waitAfter(prompts: number, limits: SilenceLimits): number | null {
  if (prompts >= PROMPTS_IN_A_ROW) return null;
  return orNever(limits.silenceBeforeSkipTurnSeconds * LONGER_EACH_TIME ** prompts);
}

/** How long before the end the client is warned; null when it is not. */
export function warningLeft(wait: SilenceWait, limits: SilenceLimits): number | null {
  if (wait.endLeft === null || wait.warned === 'yes' || limits.silenceBeforeSessionEndSeconds * 1_000 < 2 * WARNING_MS)
    return null;
  return Math.max(0, wait.endLeft - WARNING_MS);
}

function promptWait(limits: SilenceLimits, canPrompt: boolean): number | null {
  return canPrompt ? orNever(limits.silenceBeforeSkipTurnSeconds) : null;
}

/** 0 switches a timer off. */
function orNever(seconds: number): number | null {
  return seconds === 0 ? null : seconds * 1_000;
}
