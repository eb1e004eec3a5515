import { expect, it } from 'vitest';
import type { SessionEvent } from '../../../actors/events.ts';
import type { LanguageModel, SpeechModelHandlers } from '../../../models/ports.ts';
import { createFakeLlm, createFakeRecognizer, createFakeSynthesizer } from '../../../models/fakes/index.ts';
import { heardBy, openSpeechLink, spokenBy } from './speech-link.ts';

function link(turnsBy: 'parley' | 'model' | 'agent') {
  const events: SessionEvent[] = [];
  const told: string[] = [];
  let handlers!: SpeechModelHandlers;
  const model: LanguageModel = {
    ...createFakeLlm({ answers: [] }),
    speech: {
      turnsBy,
      open(given) {
        handlers = given;
        return {
          llm: createFakeLlm({ answers: [] }),
          recognizer: createFakeRecognizer({ utterances: [] }),
          synthesizer: createFakeSynthesizer(),
          heard: (segmentId) => told.push(`heard ${segmentId}`),
          cut: (segmentId, playedMs) => told.push(`cut ${segmentId} ${playedMs}`),
          present: () => told.push('present'),
          context: (text) => told.push(`context ${text}`),
          close() {},
        };
      },
    },
  };
  const opened = openSpeechLink(model, { dispatch: (event) => events.push(event), lost() {} })!;
  const probabilities: number[] = [];
  const hear = (): void => {
    const heard = heardBy(opened, { type: 'vad.window', probability: 0.4, levelDb: -30, endsAt: 0 });
    if (heard.type === 'vad.window') probabilities.push(heard.probability);
  };
  return { events, told, opened, handlers, probabilities, hear };
}

it('leaves the VAD and the interruptions to Parley where Parley owns the turn', () => {
  const { opened, probabilities, hear } = link('parley');
  hear();
  expect(probabilities).toEqual([0.4]);
  expect(opened.recognizer.words).toBe('elsewhere');
});

it('takes the voice that the model hears for the VAD, and stops the persona for it, where the model owns the turn', () => {
  const { opened, events, handlers, probabilities, hear } = link('model');
  hear();
  handlers.voice('on');
  hear();
  handlers.voice('off');
  hear();
  expect(probabilities).toEqual([0, 0.99, 0]);
  expect(events).toEqual([{ type: 'client.interrupt' }]);
  expect(opened.recognizer.words).toBe('elsewhere, from all');
});

it('counts for the session what the model says that it cost', () => {
  const { events, handlers } = link('parley');
  const amounts = { audioInputTokens: 12, audioOutputTokens: 40, reportedRequests: 1 };
  handlers.metered!({ provider: 'House voice', place: 0, amounts });
  expect(events).toEqual([{ type: 'provider.metered', service: 'llm', provider: 'House voice', place: 0, amounts }]);
});

it('tells the model what was heard of it', () => {
  const { told, opened } = link('parley');
  spokenBy(opened, { type: 'speech.started', segmentId: 'one' });
  spokenBy(opened, { type: 'speech.finished', segmentId: 'one' });
  spokenBy(opened, { type: 'speech.cut', segmentId: 'two', playedMs: 120 });
  expect(told).toEqual(['heard one', 'cut two 120']);
});

it('is nothing for a model that only writes', () => {
  expect(openSpeechLink(createFakeLlm({ answers: [] }), { dispatch() {}, lost() {} })).toBeNull();
  expect(openSpeechLink(null, { dispatch() {}, lost() {} })).toBeNull();
});

it("hears with Parley's VAD for an agent, which is told that the user is there, and ends the call itself", () => {
  const { opened, probabilities, hear, handlers, events, told } = link('agent');
  hear();
  expect(probabilities).toEqual([0.4]);
  expect(opened.recognizer.words).toBe('elsewhere, from all');
  opened.hears({ type: 'peer.connected', kind: 'first' });
  opened.hears({ type: 'client.context', content: 'The user looks at shoes.' });
  expect(told).toEqual(['present', 'context The user looks at shoes.']);
  handlers.voice('on');
  handlers.speaks!();
  handlers.cue!('happy', 1_500);
  handlers.hungUp!();
  expect(events).toEqual([
    { type: 'client.interrupt' },
    { type: 'llm.speaks' },
    { type: 'client.cue', tag: 'happy', inSeconds: null, atSeconds: 1.5, problem: null },
    { type: 'service.stop', reason: 'end_call' },
  ]);
});
