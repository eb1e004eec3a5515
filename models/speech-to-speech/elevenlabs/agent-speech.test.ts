import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { Answer } from '../answer.ts';
import { AgentSpeech } from './agent-speech.ts';

const COUNT = 'One two three four five six seven eight nine ten.';
/** 24 kHz. */
const sound = (ms: number): Int16Array => new Int16Array(ms * 24);

function answer(): AgentSpeech {
  const speech = new AgentSpeech(new Answer('one', 'asked'), new SimulatedClock());
  speech.says(COUNT);
  return speech;
}

it('was heard up to the word at that time, once all of its sound is there', () => {
  const speech = answer();
  speech.sounds(sound(4_000));
  speech.end();
  speech.answer.speech.rewind(2_000);
  expect(speech.heard()).toBe('One two three four five');
});

// Its words came at once, and the sound of the first ones alone: these were taken for as long as all of them.
it('was heard for as long as words take, if it was stopped before all of its sound came', () => {
  const speech = answer();
  speech.sounds(sound(1_000));
  speech.stop();
  speech.answer.speech.rewind(700);
  expect(speech.heard()).toBe('One two three');
});
