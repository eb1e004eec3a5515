import { settingsSetup } from './settings-actions.ts';

/**
 * Changes that the client makes during a session. Settings are applied at once, or refused as a whole. Context is added
 * to the history.
 */
export const settingsMachine = settingsSetup.createMachine({
  id: 'settings',
  type: 'parallel',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  on: {
    'client.personaConfig': { actions: 'update' },
    'client.context': { actions: 'remember' },
    'client.instructs': { actions: 'instruct' },
    'stt.languageUnavailable': { actions: 'warnLanguage' },
  },
  states: {
    /** Each of these warnings is given once. */
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
