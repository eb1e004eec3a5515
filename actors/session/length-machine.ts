import { actorSetup, performs, tells, type ActorContext } from '../kernel/actor-setup.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';

/** The client is warned this long before the end (contract). */
const WARNING_MS = 30_000;

/** The session's maximum length, counted from the first video frame; without video, from the connection. */
export const lengthMachine = actorSetup({ types: {} as { context: ActorContext } })
  .extend({
    guards: {
      isLimited: ({ context }) => context.env.config.maxSessionLengthSeconds !== null,
      isLongEnoughToWarn: ({ context }) => limitMs(context.env) > WARNING_MS,
    },
    actions: {
      warn: performs({ type: 'signal.warning', code: 'session_length', text: 'Session will end in 30 seconds.' }),
      end: tells({ type: 'session.end', reason: 'max_session_length' }),
    },
    delays: {
      untilWarning: ({ context }) => limitMs(context.env) - WARNING_MS,
      untilEnd: ({ context }) => Math.min(limitMs(context.env), WARNING_MS),
    },
  })
  .createMachine({
    id: 'length',
    context: ({ input }) => ({ env: input.env }),
    entry: 'join',
    initial: 'notStarted',
    states: {
      notStarted: {
        on: {
          'media.started': [
            { guard: 'isLongEnoughToWarn', target: 'running' },
            { guard: 'isLimited', target: 'ending' },
          ],
        },
      },
      running: { after: { untilWarning: { target: 'ending', actions: 'warn' } } },
      ending: { after: { untilEnd: { target: 'over', actions: 'end' } } },
      over: { type: 'final' },
    },
  });

function limitMs({ config }: SessionEnvironment): number {
  return (config.maxSessionLengthSeconds ?? 0) * 1_000;
}
