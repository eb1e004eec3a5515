import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';
import { addUsage } from './provider-usage.ts';
import { noteUse, type ProviderService } from './provider-uses.ts';

/** Warnings for the client when another provider takes over. They name no provider: only the operator knows them. */
const TAKEN_OVER: Readonly<Record<ProviderService, string>> = {
  stt: 'Speech recognition had a problem; another recognizer has taken over.',
  llm: 'The language model had a problem; another one has taken over.',
  tts: 'Speech synthesis had a problem; another voice has taken over.',
};

/**
 * Remembers which provider was used, and warns the client once when a less preferred one takes over. Adds up what each has
 * done.
 */
export const providersMachine = actorSetup({ types: {} as { context: ActorContext } })
  .extend({
    actions: {
      note: ({ context: { env }, event }) => {
        if (event.type !== 'provider.used') return;
        const { service, provider, place } = event;
        const before = env.memory.providers.places[service];
        env.memory.providers = noteUse(env.memory.providers, { service, provider, place, at: env.now() });
        if (place === before) return;
        env.log('provider_changed', { service, provider, place });
        if (place > before)
          env.perform({ type: 'signal.warning', code: `${service}_taken_over`, text: TAKEN_OVER[service] });
      },
      meter: ({ context: { env }, event }) => {
        if (event.type !== 'provider.metered') return;
        const { usage, record } = addUsage(env.memory.usage, event);
        env.memory.usage = usage;
        env.perform({ type: 'report', entry: { kind: 'usage', usage: record } });
      },
    },
  })
  .createMachine({
    id: 'providers',
    context: ({ input }) => ({ env: input.env }),
    entry: 'join',
    on: { 'provider.used': { actions: 'note' }, 'provider.metered': { actions: 'meter' } },
  });
