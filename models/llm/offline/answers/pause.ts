import { numbersIn } from '../numbers.ts';
import { choose, type Answerer } from '../scene.ts';
import { systemTool } from '../system-tools.ts';

/** "Give me a moment" without a length. */
const A_MOMENT_SECONDS = 30;
const MAX_PAUSE_SECONDS = 600;

/** "Give me two minutes": pauses the conversation, or skips the turn, or only says that it waits. */
export const pause: Answerer = (scene) => {
  if (!scene.language.hears.pause.test(scene.heard)) return null;
  const say = choose(scene, scene.language.says.pause);
  const pausing = systemTool(scene, 'pause_conversation');
  const skipping = systemTool(scene, 'skip_turn');
  const seconds = secondsIn(scene.words);
  if (pausing !== null && (seconds !== null || skipping === null))
    return {
      say,
      call: pausing.name,
      args: { duration_seconds: Math.min(seconds ?? MAX_PAUSE_SECONDS, MAX_PAUSE_SECONDS) },
    };
  if (skipping !== null) return { say, call: skipping.name, args: { timeout_seconds: seconds ?? A_MOMENT_SECONDS } };
  return { say };
};

/** "two minutes" → 120, "a minute" → 60, "a moment" → null. */
function secondsIn(words: readonly string[]): number | null {
  const unit = words.some((word) => /^(minute|minuto|minut)/.test(word))
    ? 60
    : words.some((word) => /^(second|sekunde|segundo|secondo|sec)/.test(word))
      ? 1
      : null;
  return unit === null ? null : Math.max(1, (numbersIn(words)[0] ?? 1) * unit);
}
