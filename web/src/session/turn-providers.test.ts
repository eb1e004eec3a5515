import { expect, it } from 'vitest';
import { providersText } from './turn-providers.ts';
import { EMPTY_TURN, type TurnRecord } from './turn-record.ts';

const turn = (providers: TurnRecord['providers']): TurnRecord => {
  return { ...EMPTY_TURN, turnIndex: 1, correlationId: 'c', providers };
};

it('says who did what in a turn, and who took over', () => {
  expect(providersText(turn({ stt: ['deepgram'], llm: ['openai a', 'anthropic b'], tts: ['offline'] }))).toBe(
    'STT: deepgram · LLM: openai a → anthropic b · TTS: offline',
  );
});

it('leaves out what nobody did', () => {
  expect(providersText(turn({ stt: [], llm: ['offline'], tts: [] }))).toBe('LLM: offline');
  expect(providersText(turn({ stt: [], llm: [], tts: [] }))).toBeNull();
  expect(providersText(turn(undefined))).toBeNull();
});
