import { describe, expect, it } from 'vitest';
import type { LlmEvent, LlmMessage, LlmRequest, ToolSpec } from '../ports.ts';
import { createOfflineLlm } from './offline-llm.ts';

const PROMPT = [
  'You are Ada, a friendly guide of the Brightwater Museum. The museum has three floors and a roof garden. Never mention prices.',
  'You are talking with a person by voice and video. Keep answers short and never mention the museum floors.',
].join('\n\n');
const INSTRUCTION = '[Instruction from the service, not said by the user] ';

const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: string[] = [],
): ToolSpec => ({ name, description, parameters: { type: 'object', properties, required } });
const END_CALL = tool('end_call', 'End the conversation.', { confirmed: { type: 'boolean' } });
const CHANGE_LANGUAGE = tool('change_language', 'Change the language.', { language_code: { type: 'string' } }, [
  'language_code',
]);
const PAUSE = tool('pause_conversation', 'Stay quiet.', { duration_seconds: { type: 'number' } });
const FAQ = tool('museum_faq', 'Answers questions about the museum from its documents', { query: { type: 'string' } }, [
  'query',
]);
const WEATHER = tool(
  'get_weather',
  'Current weather of a city',
  { city: { type: 'string', description: 'City name' } },
  ['city'],
);
const COLOR = tool(
  'set_background_color',
  'Changes the background of the page',
  { color: { enum: ['red', 'dark_blue', 'green'] } },
  ['color'],
);
const TICKETS = tool(
  'book_tickets',
  'Books tickets',
  { count: { type: 'integer' }, date: { type: 'string', format: 'date' } },
  ['count', 'date'],
);

/** A conversation with the LLM that keeps its history as the session's actors do. */
function conversation(options: { tools?: readonly ToolSpec[]; prompt?: string; language?: string | null } = {}) {
  const llm = createOfflineLlm({ now: () => new Date('2026-03-04T15:30:00Z') });
  const messages: LlmMessage[] = [{ role: 'system', content: options.prompt ?? PROMPT }];

  async function think(extra: readonly LlmMessage[] = []) {
    const request: LlmRequest = {
      messages: [...messages, ...extra],
      tools: options.tools ?? [],
      sessionId: 's',
      correlationId: 'c',
      language: options.language ?? null,
    };
    const events: LlmEvent[] = [];
    for await (const event of llm.stream(request, new AbortController().signal)) events.push(event);
    const said = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    if (said !== '' || calls.length > 0)
      messages.push({ role: 'assistant', content: said, ...(calls.length === 0 ? {} : { toolCalls: calls }) });
    return {
      said,
      calls: calls.map((call) => ({ name: call.name, args: JSON.parse(call.arguments) as unknown })),
      events,
    };
  }

  return {
    say: (content: string) => {
      messages.push({ role: 'user', content });
      return think();
    },
    instruct: (text: string) => think([{ role: 'user', content: INSTRUCTION + text }]),
    /** Answers every call of the last step. */
    toolAnswers: (output: string) => {
      const last = messages.at(-1);
      for (const call of last?.role === 'assistant' ? (last.toolCalls ?? []) : [])
        messages.push({ role: 'tool', toolCallId: call.id, content: output });
      return think();
    },
  };
}

describe('the offline LLM', () => {
  it('greets as the persona when the service asks for it', async () => {
    expect((await conversation().instruct('Greet the user.')).said).toMatch(/^(Hello|Hi)!? .*Ada.*\?$/);
  });

  it('asks whether a silent user is still there, each time in other words', async () => {
    const { say, instruct } = conversation();
    await say('Hello');
    const [first, second] = [await instruct('The user is silent.'), await instruct('The user is silent.')];
    expect(first.said).not.toBe('');
    expect(second.said).not.toBe('');
    expect(second.said).not.toBe(first.said);
  });

  it('streams small pieces', async () => {
    const { events, said } = await conversation().say('Who are you?');
    const texts = events.filter((event) => event.type === 'text');
    expect(texts.length).toBeGreaterThan(2);
    expect(said).toBe('I am Ada, a friendly guide of the Brightwater Museum.');
    expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
  });

  it('answers the one of a meeting who names it, or the last one', async () => {
    const meeting =
      '\n\nYou are talking with a person by voice and video.\n\nYou are a participant of a web meeting. The others see you as "Ada (AI)".';
    const { say } = conversation({ prompt: PROMPT + meeting });
    const asked = await say('Alice: we open at nine\nBob: Ada, who are you?\nAlice: I wonder');
    expect(asked.said).toBe('I am Ada, a friendly guide of the Brightwater Museum.');
    expect((await say('Bob: ada')).said).not.toBe('');
    expect((await say('Alice: my name is Robert')).said).not.toContain('Alice');
  });

  it('is honest about what it is', async () => {
    expect((await conversation().say('Are you a real person?')).said).toContain('offline stand-in');
  });

  it('remembers a name', async () => {
    const { say } = conversation();
    expect((await say('what is my name')).said).toContain("haven't told me");
    expect((await say('my name is tom')).said).toContain('Tom');
    await say('I like boats');
    expect((await say('do you remember my name')).said).toContain('Tom');
  });

  it('does not take a mood for a name', async () => {
    const { say } = conversation();
    await say("i'm tired");
    expect((await say('what is my name')).said).toContain("haven't told me");
  });

  it('knows what its description says, but not the orders in it', async () => {
    expect((await conversation().say('how many floors does the museum have')).said).toBe(
      'The museum has three floors and a roof garden.',
    );
    expect((await conversation().say('what are the prices')).said).not.toMatch(/never mention/i);
  });

  it.each([
    ['what is twelve times seven plus one', '85'],
    ["What's 7 x 6?", '42'],
    ['20 percent of 50', '10'],
    ['two hundred and five minus 10 / 4', '202.5'],
    ['one divided by zero', 'Nobody can divide by zero'],
  ])('calculates %s', async (question, result) => {
    expect((await conversation().say(question)).said).toContain(result);
  });

  it('tells the date', async () => {
    expect((await conversation().say("what's the date today")).said).toBe('Today is Wednesday, March 4, 2026.');
  });

  it('gives back something of what was said', async () => {
    expect((await conversation().say('I love sailing on my boat')).said).toContain('sailing on your boat');
    expect((await conversation().say('my brother is a pilot')).said).toContain('your brother');
    expect((await conversation().say('The pizza yesterday was cold')).said).toContain('pizza');
  });

  it('admits what it does not know', async () => {
    expect((await conversation().say('what is the capital of france')).said).toMatch(/don't know|beyond|can't answer/);
  });

  it('always has an answer, whatever is said', async () => {
    for (const said of [
      '',
      '   ',
      '???',
      '🙂',
      'a',
      '{"json": true}',
      '[Source 1 from "x", Relevance: 1%]',
      'x'.repeat(10_000),
      '1 + + 2',
      'в чащах юга',
    ]) {
      expect((await conversation().say(said)).said).not.toBe('');
    }
  });
});

describe('in other languages', () => {
  it.each([
    ['Wie heißt du?', 'Ada'],
    ['Wie geht es dir?', 'Mir geht es gut'],
    ['Comment ça va ?', 'Je vais bien'],
    ['¿Cómo te llamas?', 'Ada'],
    ['Come stai?', 'Sto bene'],
    ["Je m'appelle Jeanne", 'Jeanne'],
  ])('answers %s', async (said, answer) => {
    expect((await conversation().say(said)).said).toContain(answer);
  });

  it('greets in the language of the session', async () => {
    expect((await conversation({ language: 'de' }).instruct('Begrüße den Nutzer.')).said).toMatch(/^(Hallo|Guten Tag)/);
  });

  it('changes the language when asked, and goes on in it', async () => {
    const { say, toolAnswers } = conversation({ tools: [CHANGE_LANGUAGE] });
    expect((await say('can we speak german please')).calls).toEqual([
      { name: 'change_language', args: { language_code: 'de' } },
    ]);
    expect((await toolAnswers('Speech recognition now listens for de.')).said).toContain('Deutsch');
    expect((await say('Ich mag Segeln sehr.')).said).toContain('Segeln');
  });
});

describe('with tools', () => {
  it('ends the call at a goodbye', async () => {
    expect((await conversation({ tools: [END_CALL] }).say('thanks, goodbye!')).calls).toEqual([
      { name: 'end_call', args: { confirmed: true } },
    ]);
  });

  it('asks before an end that was not plainly wished, and ends after a yes', async () => {
    const { say, toolAnswers } = conversation({ tools: [END_CALL] });
    await say('bye');
    expect((await toolAnswers('Not ended yet. Ask the user in one short sentence whether to end.')).said).toContain(
      '?',
    );
    expect((await say('yes')).calls).toEqual([{ name: 'end_call', args: { confirmed: true } }]);
  });

  it('only says goodbye without the tool', async () => {
    const { said, calls } = await conversation().say('goodbye');
    expect(said).toContain('Goodbye');
    expect(calls).toEqual([]);
  });

  it('pauses as long as wished, and is quiet then', async () => {
    const { say, toolAnswers } = conversation({ tools: [PAUSE] });
    const { said, calls } = await say('give me two minutes');
    expect(said).not.toBe('');
    expect(calls).toEqual([{ name: 'pause_conversation', args: { duration_seconds: 120 } }]);
    expect((await toolAnswers('The conversation is paused for up to 120 seconds. Say nothing.')).events).toEqual([
      { type: 'done', finishReason: 'stop' },
    ]);
  });

  it('calls what the words ask for, with arguments from the words', async () => {
    const tools = [WEATHER, COLOR, TICKETS];
    expect((await conversation({ tools }).say("What's the weather in New York?")).calls).toEqual([
      { name: 'get_weather', args: { city: 'New York' } },
    ]);
    expect((await conversation({ tools }).say('please make the background dark blue')).calls).toEqual([
      { name: 'set_background_color', args: { color: 'dark_blue' } },
    ]);
    expect((await conversation({ tools }).say('can you book two tickets for tomorrow')).calls).toEqual([
      { name: 'book_tickets', args: { count: 2, date: '2026-03-05' } },
    ]);
  });

  it('asks for what is missing, then calls with the whole wish', async () => {
    const { say } = conversation({ tools: [WEATHER, TICKETS] });
    expect(await say('I would like to book tickets for tomorrow')).toMatchObject({
      said: 'What should I use as the count?',
      calls: [],
    });
    expect((await say('three please')).calls).toEqual([
      { name: 'book_tickets', args: { count: 3, date: '2026-03-05' } },
    ]);
  });

  it('does not call a tool that was only mentioned', async () => {
    expect(
      (await conversation({ tools: [WEATHER, TICKETS] }).say('My tickets got lost on the train home last week')).calls,
    ).toEqual([]);
  });

  it.each([
    ['{"temperature":21,"sky":"clear"}', 'Temperature: 21, sky: clear.'],
    ['It rains. It will stop soon. Then the sun comes.', 'It rains. It will stop soon.'],
    ['ok', 'done'],
    ['Done. The tool returned nothing.', 'done'],
    ['Error: The webhook answered 500.', 'work'],
    ['No result yet: the call is still running.', 'running'],
  ])('puts the result %s into words', async (output, words) => {
    const { say, toolAnswers } = conversation({ tools: [WEATHER] });
    await say('weather in Rome please');
    expect((await toolAnswers(output)).said.toLowerCase()).toContain(words.toLowerCase());
  });
});

describe('with knowledge', () => {
  const passages =
    '[Source 1 from "FAQs.docx", Relevance: 82%]\nOpening hours\nQ: When are you open?\nA: We open at nine in the morning. We close at six.\nQ: Is parking free?\nA: Parking is free for visitors.\n\n[Source 2 from "hours.md", Relevance: 40%]\nWe are closed on Mondays.';

  it('searches before it answers a question', async () => {
    expect((await conversation({ tools: [FAQ] }).say('when do you open')).calls).toEqual([
      { name: 'museum_faq', args: { query: 'when do you open' } },
    ]);
  });

  it.each([
    ['when do you open', 'We open at nine in the morning. We close at six.'],
    ['is the parking free', 'Parking is free for visitors.'],
    ['are you open on mondays', 'We are closed on Mondays.'],
  ])('answers %s from the passages', async (question, answer) => {
    const { say, toolAnswers } = conversation({ tools: [FAQ] });
    await say(question);
    expect((await toolAnswers(passages)).said).toBe(answer);
  });

  it('says so when the documents know nothing', async () => {
    const { say, toolAnswers } = conversation({ tools: [FAQ] });
    await say('do you sell unicorns');
    expect((await toolAnswers('Nothing was found about this in the knowledge base.')).said).toContain('documents');
  });

  it('searches documents under whatever name and description their tool has', async () => {
    const house: ToolSpec = { ...tool('house', 'Brightwater', { query: { type: 'string' } }), searchesDocuments: true };
    const own: ToolSpec = {
      ...tool('spa_menu', 'Treatments', { limit: { type: 'integer' }, wish: { type: 'string' } }),
      searchesDocuments: true,
    };
    expect((await conversation({ tools: [WEATHER, house, own] }).say('when is the swimming pool open')).calls).toEqual([
      { name: 'house', args: { query: 'when is the swimming pool open' } },
    ]);
    expect((await conversation({ tools: [WEATHER, house, own] }).say('which treatments are there')).calls).toEqual([
      { name: 'spa_menu', args: { wish: 'which treatments are there' } },
    ]);
    expect((await conversation({ tools: [WEATHER, house] }).say('how is the weather in Rome')).calls).toEqual([
      { name: 'get_weather', args: { city: 'Rome' } },
    ]);
  });

  it('needs no documents for small talk', async () => {
    expect((await conversation({ tools: [FAQ] }).say('how are you')).calls).toEqual([]);
  });
});

describe('a newcomer who asks the offline LLM', () => {
  const say = async (text: string) => (await conversation({ prompt: '' }).say(text)).said;

  it.each([
    ['what is this', /live conversations with AI personas.*No language model is connected/],
    ['How do I connect a real LLM?', /base URL.*model.*start the service again/],
    ['can i use my own language model', /base URL/],
    ['do you really understand me', /^No, not really\. .*rules/],
    ['can i interrupt you', /^Yes, just speak/],
    ['how can i change your voice', /Personas/],
    ['are you recording this', /whoever runs it/],
    ['what languages do you speak', /English, German, Spanish, French and Italian/],
    ['what can you do', /no large language model/],
    ['are you a real person', /no large language model/],
  ])('"%s" is told what is so', async (question, answer) => {
    expect(await say(question)).toMatch(answer);
  });

  it('is told what the operator wrote about it, where there is something', async () => {
    const { said } = await conversation({ prompt: 'You are Ada. Parley is our friendly parrot.' }).say(
      'What is Parley?',
    );
    expect(said).toContain('parrot');
  });

  // The host of a new service said who she is.
  it('is told what something is by the sentence that begins with it', async () => {
    const prompt = 'You are Elena, a host who shows what Parley can do. Parley is a service for conversations.';
    const { said } = await conversation({ prompt }).say('What is Parley?');
    expect(said).toBe('Parley is a service for conversations.');
  });
});

it('stops when its answer is no longer wanted', async () => {
  const abort = new AbortController();
  const request: LlmRequest = {
    messages: [{ role: 'user', content: 'are you a robot' }],
    tools: [],
    sessionId: 's',
    correlationId: 'c',
    language: null,
  };
  const heard: string[] = [];
  await expect(
    (async () => {
      for await (const event of createOfflineLlm().stream(request, abort.signal)) {
        if (event.type === 'text') heard.push(event.text);
        abort.abort();
      }
    })(),
  ).rejects.toMatchObject({ code: 'aborted' });
  expect(heard).toHaveLength(1);
});
