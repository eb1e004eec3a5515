import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { speechModels } from '../testing/speech-models.ts';
import { TestJournals } from '../testing/test-journals.ts';
import { openLiveEngine, type LiveClient, type LiveEngine } from '../testing/live-engine.ts';

async function open(...options: Parameters<typeof openLiveEngine>): Promise<LiveEngine> {
  const live = await openLiveEngine(...options);
  onTestFinished(() => live.close());
  return live;
}

const told = ({ messages }: LiveClient): string =>
  messages
    .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
    .map(({ data }) => String(data['content']))
    .join('');

const transcript = ({ entries }: LiveEngine): string[] =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [`${entry.message.role}: ${entry.message.text.trim()}`] : []));

describe.each(Object.entries(speechModels))('%s', (name, openModel) => {
  it('goes on in another engine, and with another connection after a cut, with the whole conversation', async () => {
    const model = await openModel();
    const journals = new TestJournals();
    const { llm, config } = model;
    const before = await open({ llm, config, journals });
    const client = await before.connect();
    client.say('How are you?');
    await eventually(() => expect(transcript(before)).toEqual(['user: How are you?', 'persona: Fine, thank you.']));
    before.engine.sessionTakenOver(before.sessionId);
    const loggedLines = before.logged.join('').split('\n').length - 1;
    const session = journals.past(before.sessionId);
    const after = await open({ llm, config, journals, past: { session, loggedLines } });
    const again = await after.connect();
    again.say('What is the capital?');
    // A word is told when it begins. Cut then, on a machine that was late, the model had not said the rest of it.
    await eventually(() => expect(transcript(after)).toContain('persona: The capital is Rome.'));
    expect(told(again)).toContain('Rome.');
    expect(model.connections()).toBe(2);
    expect(model.knows()).toMatch(/How are you\?[^]*Fine, thank you\.[^]*What is the capital\?[^]*Rome\./);

    model.cut();
    await eventually(() => expect(model.connections()).toBe(3));
    again.say('And how are you now?');
    await eventually(() => expect(told(again)).toMatch(/Rome\.[^]*Fine, thank you\./));
    expect(model.knows()).toMatch(/How are you\?[^]*capital is Rome\.[^]*And how are you now\?/);

    after.engine.stopSession(after.sessionId, 'stopped_by_api');
    await eventually(() => expect(after.entries.map(({ kind }) => kind)).toContain('end'));
    await eventually(() => expect(journals.sessionIds).toEqual([]));
  });

  // An agent has its own voice, and languages.
  it.skipIf(name !== 'OpenAI Realtime')('is told of a changed setting in mid-session', async () => {
    const model = await openModel();
    const live = await open({ llm: model.llm });
    const client = await live.connect();
    client.say('How are you?');
    await eventually(() => expect(told(client)).toContain('thank you.'));
    client.send('persona_config', { data: { languageCode: 'fr', voiceGenerationOptions: { speed: 1.2 } } });
    client.say('What is the capital?');
    await eventually(() => expect(told(client)).toContain('Rome.'));
    client.say('And how are you?');
    await eventually(() => expect(told(client)).toMatch(/Rome\.[^]*thank you/));
    expect(model.setUp()).toMatch(/"speed":1.2/);
    expect(model.knows()).toMatch(/How are you\?[^]*Fine, thank you\./);
  });
});
