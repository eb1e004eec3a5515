import type { PassthroughRefusal } from '../events.ts';
import { addContext } from '../history/conversation-history.ts';
import { languageName } from '../phrases/language-names.ts';
import { updatePersonaConfig } from '../settings/persona-config-update.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { actorSetup, performs } from '../kernel/actor-setup.ts';

const PASSTHROUGH_REFUSED: Readonly<Record<PassthroughRefusal, string>> = {
  disabled: 'Audio passthrough is not enabled for this session.',
  format: 'Agent audio is ignored: it has to be pcm_s16le with one or two channels and 8000 to 48000 Hz.',
  full: 'Agent audio is ignored: two minutes of it wait to be spoken already.',
};

/** What the names in the table of `settings-machine.ts` stand for. */
export const settingsSetup = actorSetup({ types: {} as { context: { readonly env: SessionEnvironment } } }).extend({
  actions: {
    update: ({ context: { env }, event }) => {
      if (event.type !== 'client.personaConfig') return;
      const before = env.memory.settings;
      const update = updatePersonaConfig(before, event.data, env.config.voice.family);
      if (update.kind === 'ignored') return;
      if (update.kind === 'rejected')
        return env.perform({
          type: 'signal.warning',
          code: 'persona_config_rejected',
          text: `Persona config update rejected: ${update.reason}`,
        });
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
      if (event.type !== 'client.context') return;
      const { config, memory } = env;
      memory.history = addContext(memory.history, event.content, config.isVisitor === true ? 'visitor' : 'application');
    },
    /** From the next answer on. A tool of the persona is not replaced by one of the same name. */
    instruct: ({ context: { env }, event }) => {
      if (event.type !== 'client.instructs') return;
      const own = new Set(env.config.tools.map(({ name }) => name));
      const { instructions, tools } = event;
      env.memory.instructed = { instructions, tools: tools.filter(({ name }) => !own.has(name)) };
    },
    warnEnhancement: performs({
      type: 'signal.warning',
      code: 'enhancement_unavailable',
      text: 'Speech enhancement is unavailable; continuing without it.',
    }),
    warnLanguage: ({ context: { env }, event }) => {
      if (event.type !== 'stt.languageUnavailable') return;
      const language = languageName(event.language);
      const text = `Speech recognition does not understand ${language}; words in ${language} will be misheard.`;
      env.perform({ type: 'signal.warning', code: 'language_unavailable', text });
    },
    warnPassthrough: ({ context: { env }, event }) => {
      if (event.type !== 'passthrough.refused') return;
      env.perform({
        type: 'signal.warning',
        code: 'passthrough_refused',
        text: PASSTHROUGH_REFUSED[event.reason ?? 'disabled'],
      });
    },
  },
});
