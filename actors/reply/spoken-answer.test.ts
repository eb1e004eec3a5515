import { describe, expect, it } from 'vitest';
import { testConfig } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const WORD_MS = 400;

/** A model that speaks itself: its words come as they are heard, and the test says when. */
function asked() {
  const voiceDetection = { ...testConfig().voiceDetection, silenceBeforeSkipTurnSeconds: 5 };
  const s = new SimulatedSession({ config: { voiceDetection } }).connect();
  s.engine.answer = (_question, index) => (index === 0 ? { afterMs: 1e7 } : { text: 'It is sunny.' });
  s.wait(500).type('please count');
  const [request] = s.performed('llm.request');
  const { requestId } = request!;
  // The fake voice is not asked: the test plays the sound itself.
  const said: { segmentId: string; text: string; spoken?: true }[] = [];
  const { engine } = s;
  const perform = engine.perform.bind(engine);
  engine.perform = (command) => {
    if (command.type === 'speech.say') said.push(command);
    else if (command.type !== 'speech.cut') perform(command);
  };
  return {
    s,
    said,
    write: (text: string) => s.dispatch({ type: 'llm.text', requestId, text, spoken: true }),
    end: () => s.dispatch({ type: 'llm.done', requestId }),
    start: () => s.dispatch({ type: 'speech.started', segmentId: said.at(-1)!.segmentId }),
    heard(words: readonly string[], from = 0) {
      const timed = words.map((text, at) => ({
        text,
        startMs: (from + at) * WORD_MS,
        endMs: (from + at + 1) * WORD_MS,
      }));
      const durationMs = (from + words.length) * WORD_MS;
      const { segmentId } = said.at(-1)!;
      s.dispatch({ type: 'speech.timing', segmentId, words: timed, durationMs, complete: false });
    },
    finish: () => s.dispatch({ type: 'speech.finished', segmentId: said.at(-1)!.segmentId }),
    captions: () =>
      s
        .speechChunks()
        .map(({ content }) => content)
        .join(''),
  };
}

/**
 * A model that speaks itself was heard 250 to 590 ms late: its sound waited for the end of the first sentence of its
 * transcript.
 */
describe('an answer that its model says itself', () => {
  it('is heard with its first sound, before any word of it is known', () => {
    const { said, write } = asked();
    write('');
    expect(said).toMatchObject([{ text: '', spoken: true }]);
  });

  it('is one segment, however its words come', () => {
    const { s, said, write, end, start, heard, finish, captions } = asked();
    write('');
    start();
    for (const piece of ['One', ' two. Thr', 'ee', ' four, ', 'five.']) write(piece);
    heard(['One', 'two.', 'Three', 'four,', 'five.']);
    s.wait(5 * WORD_MS);
    end();
    finish();
    s.wait(100);
    expect(said).toHaveLength(1);
    expect(captions()).toBe('One two. Three four, five.');
    expect(s.transcript().at(-1)).toBe('persona: One two. Three four, five.');
  });

  it('has captions in step with its sound, also where words come later than it', () => {
    const { s, write, start, heard, captions } = asked();
    write('');
    start();
    s.wait(2 * WORD_MS);
    expect(captions()).toBe('');
    write('One ');
    heard(['One']);
    expect(captions()).toBe('One');
    write('two three four ');
    heard(['two', 'three', 'four'], 1);
    s.wait(WORD_MS);
    expect(captions()).toBe('One two three');
  });

  it('counts the time again from where it goes on after a gap in its sound', () => {
    const { s, said, write, start, heard, captions } = asked();
    write('One two three four ');
    start();
    heard(['One', 'two', 'three', 'four']);
    s.wait(WORD_MS);
    const { segmentId } = said[0]!;
    s.wait(50).dispatch({ type: 'speech.resumed', segmentId, positionMs: 0.2 * WORD_MS });
    s.wait(WORD_MS);
    expect(captions()).toBe('One');
  });

  it('is followed by the silence rules: a prompt comes after its last sound, not after its last word', () => {
    const { s, write, end, start, heard, finish } = asked();
    write('Anything else? ');
    start();
    heard(['Anything', 'else?']);
    end();
    const asks = s.performed('llm.request').length;
    s.wait(8_000);
    expect(s.performed('llm.request')).toHaveLength(asks);
    finish();
    s.wait(8_000);
    expect(s.performed('llm.request').length).toBeGreaterThan(asks);
  });

  it('was heard to the word when it is stopped, and the rest of it is not remembered', () => {
    const { s, said, write, start, heard } = asked();
    write('One two three four five six ');
    start();
    heard(['One', 'two', 'three', 'four', 'five', 'six']);
    s.wait(2.6 * WORD_MS);
    s.dispatch({ type: 'client.interrupt' });
    s.dispatch({ type: 'speech.cut', segmentId: said[0]!.segmentId, playedMs: 2.6 * WORD_MS });
    s.wait(100);
    expect(s.transcript().at(-1)).toBe('persona: One two three|');
  });
});
