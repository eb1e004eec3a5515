import { setup } from 'xstate';
import { addContext } from '../history/conversation-history.ts';
import { updatePersonaConfig } from '../settings/persona-config-update.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';

/** Changes that the client makes in mid-session: settings are applied at once or refused whole, context is remembered. */
export const settingsMachine = setup({
  types: {} as { context: { readonly env: SessionEnvironment }; events: BusEvent; input: { env: SessionEnvironment } },
  actions: {
    join: ({ context, self }) => context.env.join(self),
    update: ({ context: { env }, event }) => {
      if (event.type !== 'client.personaConfig') return;
      const before = env.memory.settings;
      const update = updatePersonaConfig(before, event.data, env.config.voice.family);
      if (update.kind === 'ignored') return;
      if (update.kind === 'rejected')
        return env.perform({ type: 'signal.warning', text: `Persona config update rejected: ${update.reason}` });
      const { settings, changed } = update;
      env.memory.settings = settings;
      const paths = Object.keys(changed);
      const audioIn = {
        ...(paths.includes('languageCode') ? { language: settings.languageCode } : {}),
        ...(paths.includes('voiceDetectionOptions.speechEnhancementLevel')
          ? { enhancementLevel: settings.voiceDetection.speechEnhancementLevel }
          : {}),
      };
      if (Object.keys(audioIn).length > 0) env.perform({ type: 'audioIn.configure', ...audioIn });
      if (paths.some((path) => path.startsWith('voiceGenerationOptions.')))
        env.perform({ type: 'speech.configure', tuning: settings.tuning });
      env.perform({
        type: 'message.send',
        message: {
          messageType: 'personaConfigUpdateApplied',
          data: { session_id: env.config.sessionId, changed_fields: changed },
        },
      });
      if (paths.some((path) => path.startsWith('voiceDetectionOptions.'))) env.tell({ type: 'settings.changed' });
    },
    remember: ({ context: { env }, event }) => {
      if (event.type === 'client.context') env.memory.history = addContext(env.memory.history, event.content);
    },
    warnEnhancement: ({ context: { env } }) =>
      env.perform({ type: 'signal.warning', text: 'Speech enhancement is unavailable; continuing without it.' }),
    warnPassthrough: ({ context: { env } }) =>
      env.perform({ type: 'signal.warning', text: 'Audio passthrough is not enabled for this session.' }),
  },
}).createMachine({
  id: 'settings',
  type: 'parallel',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  on: { 'client.personaConfig': { actions: 'update' }, 'client.context': { actions: 'remember' } },
  states: {
    /** Each of these is said once. */
    enhancement: {
      initial: 'assumed',
      states: {
        assumed: { on: { 'enhancement.unavailable': { target: 'missing', actions: 'warnEnhancement' } } },
        missing: {},
      },
    },
    passthrough: {
      initial: 'quiet',
      states: {
        quiet: { on: { 'passthrough.refused': { target: 'warned', actions: 'warnPassthrough' } } },
        warned: {},
      },
    },
  },
});
