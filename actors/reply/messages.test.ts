import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

function say(text: string, more: ConstructorParameters<typeof SimulatedSession>[0] = {}): SimulatedSession {
  const s = new SimulatedSession(more).connect();
  s.engine.answer = () => ({ text });
  return s.type('go');
}

describe('speechText of the persona', () => {
  it('comes in step with the sound: what is not heard yet is not sent yet', () => {
    const s = say('One two three four five six seven eight nine ten eleven twelve.').wait(1_500);
    const shown = s.transcript()[0] ?? '';
    expect(shown.length).toBeGreaterThan('persona: '.length);
    expect(shown).not.toContain('twelve');
    s.wait(5_000);
    expect(s.transcript()).toEqual(['persona: One two three four five six seven eight nine ten eleven twelve.']);
  });

  it('is one message with rising indexes, closed by one last chunk', () => {
    const s = say('First sentence. Second sentence.').wait(5_000);
    const chunks = s.speechChunks();
    expect(chunks.map((chunk) => chunk.content_index)).toEqual(chunks.map((_, index) => index));
    expect(new Set(chunks.map((chunk) => chunk.message_id)).size).toBe(1);
    expect(chunks.map((chunk) => chunk.end_of_speech)).toEqual([...chunks.slice(1).map(() => false), true]);
    expect(chunks.every((chunk) => chunk.timestamp.endsWith('Z') && chunk.role === 'persona')).toBe(true);
  });

  it('ends an interrupted message with interrupted and end_of_speech together', () => {
    const s = say('A long sentence that will not be heard to its end by anybody.').wait(1_500);
    s.dispatch({ type: 'client.interrupt' });
    expect(s.speechChunks().at(-1)).toMatchObject({ interrupted: true, end_of_speech: true });
    expect(
      s
        .speechChunks()
        .slice(0, -1)
        .every((chunk) => !chunk.interrupted),
    ).toBe(true);
  });

  it('sends nothing at all for a message that was cut before it was heard', () => {
    const s = say('Never heard.').wait(230);
    s.dispatch({ type: 'client.interrupt' });
    s.wait(3_000);
    expect(s.speechChunks()).toEqual([]);
    expect(s.reports('message').filter((entry) => entry.message.role === 'persona')).toEqual([]);
    expect(s.reports('turn')[0]?.turn).toMatchObject({ finishReason: 'interrupted', personaText: null });
  });

  it('does not echo typed text', () => {
    const s = say('Hello.').wait(3_000);
    expect(s.speechChunks().some((chunk) => chunk.role === 'user')).toBe(false);
    expect(s.reports('message')[0]?.message).toMatchObject({ role: 'user', text: 'go', speakingMs: null });
  });

  it('holds no cues, markup or reasoning', () => {
    const s = say('<think>secret plan</think>[happy] **Well**, `hello` there.').wait(4_000);
    expect(s.transcript()).toEqual(['persona: Well, hello there.']);
    expect(JSON.stringify(s.performed('speech.say'))).not.toMatch(/secret|happy|\*/);
    expect(JSON.stringify(s.reports('message'))).not.toMatch(/secret|happy/);
  });

  it('the transcript row tells when and how long it was spoken', () => {
    const s = say('Hello there.').wait(3_000);
    const row = s.reports('message')[1]?.message;
    expect(row).toMatchObject({
      role: 'persona',
      text: 'Hello there.',
      interrupted: false,
      at: s.engine.heard[0]?.from,
    });
    expect(row?.speakingMs).toBe((s.engine.heard[0]?.to ?? 0) - (s.engine.heard[0]?.from ?? 0));
  });
});

describe('reasoningText', () => {
  it('is shown while a model thinks, and closed before the speech', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ reasoning: 'They want the time.', text: 'It is <thinking>noon?</thinking>noon.' });
    s.type('time?').wait(3_000);
    const data = s.messages('reasoningText').map((message) => message.data);
    expect(
      data
        .filter((chunk) => !chunk.end_of_thought)
        .map((chunk) => chunk.content)
        .join('|'),
    ).toBe('They want the time.|noon?');
    expect(data.at(-1)).toMatchObject({ end_of_thought: true, content: '' });
    expect(data.map((chunk) => chunk.content_index)).toEqual(data.map((_, index) => index));
    expect(data[0]?.message_id).toBe(s.speechChunks()[0]?.message_id);
    expect(s.transcript()).toEqual(['persona: It is noon.']);
  });

  it.each(['hidden', 'raw', null] as const)('is not sent with the format %s, and never spoken', (reasoningFormat) => {
    const s = new SimulatedSession({
      config: { llm: { kind: 'service', llmId: 'l', displayName: 'l', reasoningFormat } },
    }).connect();
    s.engine.answer = () => ({ reasoning: 'Hm.', text: '<think>hm</think>Noon.' });
    s.type('time?').wait(3_000);
    expect(s.messages('reasoningText')).toEqual([]);
    expect(s.transcript()).toEqual(['persona: Noon.']);
  });
});
