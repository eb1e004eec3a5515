import { settingsSetup } from './settings-actions.ts';

/**
 * Changes that the client makes in mid-session: settings are applied at once or refused whole, context is remembered.
 */
export const settingsMachine = settingsSetup.createMachine({
  id: 'settings',
  type: 'parallel',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  on: {
    'client.personaConfig': { actions: 'update' },
    'client.context': { actions: 'remember' },
    'stt.languageUnavailable': { actions: 'warnLanguage' },
  },
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
