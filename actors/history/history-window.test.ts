import * as fc from 'fast-check';
import { MARK } from '../testing/mark.ts';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_HISTORY,
  addContext,
  addPersona,
  addToolCalls,
  addUser,
  lastUserLanguage,
  personaJustAsked,
  setToolOutput,
  type ConversationHistory,
} from './conversation-history.ts';
import { INTERRUPTED_MARK, WINDOW_MESSAGES, WINDOW_TALK_CHARS, llmMessages } from './history-window.ts';

const systemPrompt = 'You are Ada.';
function view(history: ConversationHistory, instruction?: string) {
  return llmMessages({ systemPrompt, history, instruction, mark: MARK });
}

describe('what the LLM sees', () => {
  test('the system prompt, then the conversation in order', () => {
    const history = addPersona(addUser(EMPTY_HISTORY, { id: 'u1', text: 'Hi' }), { id: 'p1', spoken: 'Hello!' });
    expect(view(history)).toEqual([
      { role: 'system', content: systemPrompt },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!' },
    ]);
  });

  /** Users ask for the model to know that it was cut off; without it, it goes on as if all had been heard. */
  test('an interrupted answer holds the words that were heard, and a mark', () => {
    const history = addPersona(addUser(EMPTY_HISTORY, { id: 'u1', text: 'Hours?' }), {
      id: 'p1',
      spoken: 'We are open',
      unspoken: ' from nine to five.',
      interrupted: true,
    });
    expect(view(history).at(-1)).toEqual({ role: 'assistant', content: `We are open ${INTERRUPTED_MARK}` });
    expect(JSON.stringify(view(history))).not.toContain('nine');
  });

  test('a message of which nothing was heard still shows that there was one', () => {
    expect(
      view(addPersona(EMPTY_HISTORY, { id: 'p', spoken: '', unspoken: 'Hello.', interrupted: true })).at(-1),
    ).toEqual({ role: 'assistant', content: INTERRUPTED_MARK });
    expect(addPersona(EMPTY_HISTORY, { id: 'p', spoken: ' ', unspoken: '', interrupted: true })).toEqual(EMPTY_HISTORY);
  });

  test('what was said before a tool call and the call are one message, followed by its result', () => {
    let history = addPersona(addUser(EMPTY_HISTORY, { id: 'u', text: 'Weather?' }), {
      id: 'p',
      spoken: 'Let me look.',
    });
    history = setToolOutput(addToolCalls(history, [{ id: 'c1', name: 'weather', arguments: '{}' }]), 'c1', 'sunny');
    expect(view(history).slice(2)).toEqual([
      { role: 'assistant', content: 'Let me look.', toolCalls: [{ id: 'c1', name: 'weather', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'c1', content: 'sunny' },
    ]);
  });

  /**
   * Voice agents lose the result of a tool when the user speaks while it runs: the next turn does not know of the call,
   * and the model orders a second time.
   */
  test('a call that still runs is shown, and its late result takes its place after an interruption', () => {
    let history = addToolCalls(addUser(EMPTY_HISTORY, { id: 'u1', text: 'Order it' }), [
      { id: 'c1', name: 'order', arguments: '{}' },
    ]);
    history = addUser(history, { id: 'u2', text: 'And hurry' });
    expect(view(history)).toContainEqual({
      role: 'tool',
      toolCallId: 'c1',
      content: 'No result yet: the call is still running.',
    });
    history = setToolOutput(history, 'c1', 'ordered');
    expect(view(history)).toContainEqual({ role: 'tool', toolCallId: 'c1', content: 'ordered' });
    expect(setToolOutput(history, 'c1', 'ordered again')).toEqual(history);
  });

  test('context is seen from the next user turn on', () => {
    const during = addContext(addUser(EMPTY_HISTORY, { id: 'u1', text: 'Hi' }), 'cart: 3 items');
    expect(JSON.stringify(view(during))).not.toContain('cart');
    expect(view(addUser(during, { id: 'u2', text: 'What is in it?' }))[2]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('cart: 3 items'),
    });
  });

  test('context neither empty nor oversized', () => {
    expect(addContext(EMPTY_HISTORY, '  ')).toBe(EMPTY_HISTORY);
    expect(addContext(EMPTY_HISTORY, 'é'.repeat(16 * 1024 + 1))).toBe(EMPTY_HISTORY);
    expect(addContext(EMPTY_HISTORY, 'é'.repeat(16 * 1024))).toHaveLength(1);
  });

  test('a hidden instruction comes last and leaves no trace', () => {
    const history = addUser(EMPTY_HISTORY, { id: 'u', text: 'Hi' });
    expect(view(history, 'Greet.').at(-1)).toEqual({ role: 'user', content: 'Greet.' });
    expect(JSON.stringify(view(history))).not.toContain('Greet.');
  });
});

describe('the window', () => {
  const entry = fc.oneof(
    { weight: 4, arbitrary: fc.constant('user' as const) },
    { weight: 3, arbitrary: fc.constant('persona' as const) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 10 }) },
    { weight: 2, arbitrary: fc.constant('context' as const) },
  );
  const histories = fc.array(entry, { maxLength: 60 }).map((kinds) =>
    kinds.reduce<ConversationHistory>((history, kind, at) => {
      if (kind === 'user') return addUser(history, { id: `${at}`, text: `u${at}` });
      if (kind === 'persona') return addPersona(history, { id: `${at}`, spoken: `p${at}` });
      if (kind === 'context') return addContext(history, `k${at}`);
      return addToolCalls(
        history,
        Array.from({ length: kind }, (_, call) => ({ id: `${at}-${call}`, name: 't', arguments: '{}' })),
      );
    }, EMPTY_HISTORY),
  );

  test('never shows more than 20 messages and 20 context items', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const messages = view(history).slice(1);
        expect(messages.filter((message) => message.role !== 'system').length).toBeLessThanOrEqual(WINDOW_MESSAGES);
        expect(messages.filter((message) => message.role === 'system').length).toBeLessThanOrEqual(20);
      }),
    );
  });

  test('never separates a call from its result', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const messages = view(history);
        const calls = messages.flatMap((message) =>
          message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [],
        );
        const results = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
        expect(results).toEqual(calls);
      }),
    );
  });

  /**
   * After ten rounds of tools, the request that should at last be answered began with a call: nothing in it said what the
   * user had asked. Some APIs refuse such a request.
   */
  test('always shows what the user said last, however many rounds of tools follow', () => {
    let history = addUser(addPersona(EMPTY_HISTORY, { id: 'p', spoken: 'Hello.' }), { id: 'u', text: 'Find it' });
    for (let round = 0; round < 12; round += 1)
      history = addToolCalls(history, [{ id: `c${round}`, name: 'search', arguments: '{}' }]);
    const messages = view(history).slice(1);
    expect(messages[0]).toEqual({ role: 'user', content: 'Find it' });
    expect(messages).toHaveLength(19);
    expect(messages.at(-1)).toMatchObject({ toolCallId: 'c11' });
  });

  test('always shows the newest, without holes', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const shown = view(history).flatMap((message) =>
          message.role === 'user' || (message.role === 'assistant' && message.content !== '') ? [message.content] : [],
        );
        const all = history.flatMap((item) =>
          item.kind === 'user' ? [item.text] : item.kind === 'persona' ? [item.spoken] : [],
        );
        const asked = all.findLast((text) => text.startsWith('u'));
        if (asked !== undefined) expect(shown).toContain(asked);
        // Behind what the user said last, rounds of tools may be left out.
        const end = shown[0] === asked ? shown.slice(1) : shown;
        expect(all.slice(all.length - end.length)).toEqual(end);
        if (history.at(-1)?.kind === 'user') expect(shown.at(-1)).toBe(all.at(-1));
      }),
    );
  });
});

test('the language of the conversation is the one that the user last spoke', () => {
  const history = addPersona(
    addUser(addUser(EMPTY_HISTORY, { id: 'a', text: 'Hallo', language: 'de' }), { id: 'b', text: 'hm' }),
    { id: 'p', spoken: 'Ja?' },
  );
  expect(lastUserLanguage(history)).toBe('de');
  expect(lastUserLanguage(EMPTY_HISTORY)).toBeNull();
});

test.each([
  ['Shall I?', true],
  ['本当ですか？', true],
  ['He asked "why?"', true],
  ['I shall.', false],
])('after "%s" an answer is expected: %s', (spoken, asked) => {
  expect(personaJustAsked(addPersona(EMPTY_HISTORY, { id: 'p', spoken }))).toBe(asked);
  expect(personaJustAsked(addUser(addPersona(EMPTY_HISTORY, { id: 'p', spoken }), { id: 'u', text: 'x' }))).toBe(false);
});

describe('talk in a meeting', () => {
  const talk = (lines: readonly (readonly [string, string])[], before: ConversationHistory = EMPTY_HISTORY) =>
    lines.reduce((history, [speaker, text]) => addUser(history, { id: text, text, speaker }), before);

  test('is one message from one answer of the persona to the next, with a line for each speaker', () => {
    const first = talk([
      ['Alice', 'We ship on Friday.'],
      ['Bob', 'Elena, do we?'],
    ]);
    const second = talk([['Alice', 'I see.']], addPersona(first, { id: 'p', spoken: 'Yes.' }));
    expect(view(second).slice(1)).toEqual([
      { role: 'user', content: 'Alice: We ship on Friday.\nBob: Elena, do we?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Alice: I see.' },
    ]);
  });

  test('is bounded: the newest lines are seen, and the last one in any case', () => {
    const line = 'x'.repeat(500);
    const [, long] = view(talk(Array.from({ length: 100 }, () => ['Alice', line] as const)));
    expect(long?.content.length).toBeLessThanOrEqual(WINDOW_TALK_CHARS + 100);
    expect(long?.content.split('\n').length).toBeGreaterThan(20);
    const [, last] = view(
      talk([
        ['Alice', 'before'],
        ['Bob', 'y'.repeat(2 * WINDOW_TALK_CHARS)],
      ]),
    );
    expect(last?.content).toMatch(/^Bob: y+$/);
  });

  test('is not joined with what was typed, and users of an ordinary session are not joined at all', () => {
    const history = addUser(talk([['Alice', 'a']]), { id: 't', text: 'typed' });
    expect(
      view(talk([['Bob', 'b']], history))
        .slice(1)
        .map(({ content }) => content),
    ).toEqual(['Alice: a', 'typed', 'Bob: b']);
  });
});
