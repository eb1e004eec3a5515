import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LlmEvent } from '../../ports.ts';
import { AnswerStream, BrokenAnswerError, RefusedError, type AnswerReader } from './answer-reader.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { GeminiReader } from './gemini-reader.ts';
import { OpenAiReader } from './openai-reader.ts';

const TOOLS = ['get_weather', 'get_time'];
const READERS = {
  openai: () => new OpenAiReader(TOOLS, { named: false }, false),
  anthropic: () => new AnthropicReader(TOOLS, false, () => {}),
  gemini: () => new GeminiReader(TOOLS, false, () => {}),
};

function read(bytes: Uint8Array, cuts: readonly number[], reader: AnswerReader): LlmEvent[] | string {
  const stream = new AnswerStream(reader);
  const events: LlmEvent[] = [];
  let from = 0;
  try {
    for (const at of [...cuts, bytes.length]) {
      events.push(...(stream.push(bytes.subarray(from, at)) ?? []));
      from = at;
    }
    return [...events, ...stream.end()].map(withoutId);
  } catch (error) {
    if (error instanceof RefusedError) return `refused ${error.refusal.status}`;
    if (error instanceof BrokenAnswerError) return error.kind;
    throw error;
  }
}

/** Ids that were made here are new each time. */
function withoutId(event: LlmEvent): LlmEvent {
  return event.type === 'tool-call' && /^[A-Za-z0-9]{9}$/.test(event.call.id)
    ? { ...event, call: { ...event.call, id: 'made' } }
    : event;
}

const whole = (text: string, reader: AnswerReader = READERS.openai()) =>
  read(new TextEncoder().encode(text), [], reader);
const frame = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const answered = (...deltas: unknown[]): string =>
  `${deltas.map((one) => frame(one)).join('')}${frame({}, 'stop')}data: [DONE]\n\n`;
const said = (events: LlmEvent[] | string): string =>
  typeof events === 'string' ? events : events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const calls = (events: LlmEvent[] | string): string[] =>
  typeof events === 'string'
    ? [events]
    : events.flatMap((event) => (event.type === 'tool-call' ? [`${event.call.name} ${event.call.arguments}`] : []));
const call = (part: object): object => ({ tool_calls: [part] });
const made = (name: string | undefined, args: unknown, more: object = {}): object => ({
  ...more,
  function: { ...(name !== undefined && { name }), arguments: args },
});

const ROME = '{"city":"Rome"}';
const WEATHER = `get_weather ${ROME}`;

describe('however the bytes are cut', () => {
  const gemini = (part: object, finishReason?: string): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [part] }, finishReason }] })}\r\n\r\n`;
  const claude = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße, 🐋!' } },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
    },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":"Ro' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: 'me"}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  ].map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`);
  const bodies: readonly (readonly [keyof typeof READERS, string])[] = [
    [
      'openai',
      answered(
        { content: 'Grüße, 🐋!' },
        call(made('get_weather', '{"city":', { index: 0, id: 'a' })),
        call(made(undefined, '"Rome"}', { index: 0 })),
      ),
    ],
    [
      'openai',
      `: comment\r\n\r\ndata: \r\n\r\n${frame({ content: 'Hello <tool_' })}data: keep-alive\n\ndata: null\n\n${answered({ content: `call>{"name":"get_time","arguments":{}}</tool_call> you` })}`,
    ],
    [
      'openai',
      JSON.stringify({ choices: [{ message: { content: 'One body, größer.' }, finish_reason: 'stop' }] }, null, 2),
    ],
    ['openai', `${frame({ content: 'Half' })}data: {"error":{"code":402,"message":"no credit"}}\n\n`],
    ['anthropic', claude.join('')],
    [
      'gemini',
      gemini({ text: 'Grüße, 🐋!' }) +
        gemini({ functionCall: { name: 'get_weather', args: { city: 'Rome' } } }, 'STOP'),
    ],
  ];

  it.each(bodies)('the events are the same: %s', (format, body) => {
    const bytes = new TextEncoder().encode(body);
    const expected = read(bytes, [], READERS[format]());
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, (at) => {
        expect(
          read(
            bytes,
            at.toSorted((a, b) => a - b),
            READERS[format](),
          ),
        ).toEqual(expected);
      }),
    );
  });
});

describe('parallel calls', () => {
  const both = [WEATHER, 'get_time {"city":"Oslo"}'];
  const OSLO = '{"city":"Oslo"}';
  it.each<[string, unknown[], string[]]>([
    [
      'of one index, with ids',
      [call(made('get_weather', ROME, { index: 0, id: 'a' })), call(made('get_time', OSLO, { index: 0, id: 'b' }))],
      both,
    ],
    [
      'of one index, without ids',
      [call(made('get_weather', ROME, { index: 0 })), call(made('get_time', OSLO, { index: 0 }))],
      both,
    ],
    [
      'with empty ids',
      [call(made('get_weather', ROME, { index: 0, id: '' })), call(made('get_time', OSLO, { index: 0, id: '' }))],
      both,
    ],
    [
      'in one list',
      [{ tool_calls: [made('get_weather', ROME, { index: 0 }), made('get_time', OSLO, { index: 0 })] }],
      both,
    ],
    [
      'without an index',
      [call(made('get_weather', ROME)), call(made('get_time', '{"city":')), call(made(undefined, '"Oslo"}'))],
      both,
    ],
    [
      'of one tool, twice',
      [call(made('get_weather', ROME, { index: 0 })), call(made('get_weather', OSLO, { index: 0 }))],
      [WEATHER, `get_weather ${OSLO}`],
    ],
    [
      'of one tool, their arguments in one text',
      [call(made('get_weather', `${ROME}${OSLO}`, { index: 0, id: 'a' }))],
      [WEATHER, `get_weather ${OSLO}`],
    ],
    ['whose arguments are no value', [call(made('get_time', 'undefined', { index: 0 }))], ['get_time {}']],
    [
      'without arguments',
      [call(made('get_time', '', { index: 0, id: 'a' })), call(made('get_weather', ROME, { index: 0, id: 'b' }))],
      ['get_time {}', WEATHER],
    ],
  ])('stay apart: %s', (_how, deltas, expected) => {
    expect(calls(whole(answered(...deltas)))).toEqual(expected);
  });
});

describe('one call', () => {
  it.each<[string, unknown[]]>([
    [
      'whose id changes',
      [
        call(made('get_weather', '{"city":', { index: 0, id: 'a' })),
        call(made(undefined, '"Rome"}', { index: 0, id: 'b' })),
      ],
    ],
    [
      'whose name comes in pieces',
      [
        call(made('get_', '', { index: 0, id: 'a' })),
        call(made('weather', '', { index: 0 })),
        call(made(undefined, ROME, { index: 0 })),
      ],
    ],
    ['whose name is repeated', ['{"city"', ':"Rome"}'].map((part) => call(made('get_weather', part, { index: 0 })))],
    ['whose name is cumulative', [call(made('get_', '', { index: 0 })), call(made('get_weather', ROME, { index: 0 }))]],
    [
      'whose arguments are repeated whole',
      [
        call(made('get_weather', '{"city":', { index: 0 })),
        call(made(undefined, '"Rome"}', { index: 0 })),
        call(made(undefined, ROME, { index: 0 })),
      ],
    ],
    [
      'whose arguments are cumulative',
      ['{"ci', '{"city":"Ro', ROME].map((part) => call(made('get_weather', part, { index: 0 }))),
    ],
    ['whose arguments are an object', [call(made('get_weather', { city: 'Rome' }, { index: 0 }))]],
    ['whose arguments are JSON in JSON', [call(made('get_weather', JSON.stringify(ROME), { index: 0 }))]],
    ['whose arguments are in a code fence', [call(made('get_weather', `\`\`\`json\n${ROME}\n\`\`\``, { index: 0 }))]],
    ['whose name has a namespace', [call(made('functions.get_weather', ROME, { index: 0 }))]],
    ['whose name has blanks', [call(made(' get_weather ', ROME, { index: 0 }))]],
    ['whose arguments are as in Python', [call(made('get_weather', "{'city':'Rome'}", { index: 0 }))]],
    ['whose arguments have a comma too many', [call(made('get_weather', '{"city":"Rome",}', { index: 0 }))]],
    [
      'whose arguments come after an empty object',
      [call(made('get_weather', '{}', { index: 0 })), call(made(undefined, ROME, { index: 0 }))],
    ],
    ['of the older form', [{ function_call: { name: 'get_weather', arguments: ROME } }]],
  ])('stays one: %s', (_how, deltas) => {
    expect(calls(whole(answered(...deltas)))).toEqual([WEATHER]);
  });
});

describe('a call that leaks as text is made, and never spoken', () => {
  it.each([
    ['Hermes, Qwen', `<tool_call>\n{"name": "get_weather", "arguments": ${ROME}}\n</tool_call>`],
    [
      'Qwen Coder',
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>',
    ],
    ['GLM', '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>'],
    ['Llama 3', `<function=get_weather>${ROME}</function>`],
    ['Llama 3.1', `<|python_tag|>{"name": "get_weather", "parameters": ${ROME}}`],
    ['Llama 3.2', `{"name": "get_weather", "parameters": ${ROME}}`],
    ['Qwen 2.5 Coder', `\`\`\`json\n{"name": "get_weather", "arguments": ${ROME}}\n\`\`\``],
    ['Mistral', `[TOOL_CALLS][{"name": "get_weather", "arguments": ${ROME}}]`],
    ['Mistral Small', `[TOOL_CALLS]get_weather[ARGS]${ROME}`],
    ['Granite', `<|tool_call|>[{"name": "get_weather", "arguments": ${ROME}}]`],
    ['Phi', `<|tool_call|>[{"name": "get_weather", "arguments": ${ROME}}]<|/tool_call|>`],
    [
      'Kimi',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${ROME}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    [
      'DeepSeek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${ROME}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      'DeepSeek 3.2',
      '<｜DSML｜function_calls><｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="city" string="true">Rome</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call><invoke name="get_weather"><parameter name="city">Rome</parameter></invoke></minimax:tool_call>',
    ],
    ['Command R', `<|START_ACTION|>[{"tool_name": "get_weather", "parameters": ${ROME}}]<|END_ACTION|>`],
    ['gpt-oss', `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${ROME}<|call|>`],
    ['Gemma', '```tool_code\nget_weather(city="Rome")\n```'],
    ['Gemma 4', '<|tool_call>call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>'],
    ['LFM2', '<|tool_call_start|>[get_weather(city="Rome")]<|tool_call_end|>'],
    ['Functionary', `>>>functions.get_weather\n${ROME}`],
    ['Llama 4', '[get_weather(city="Rome")]'],
    ['in Python', 'get_weather(city="Rome")'],
    ['in a tag of its name', `<get_weather>${ROME}</get_weather>`],
    ['ReAct', `Action: get_weather\nAction Input: ${ROME}`],
  ])('%s', (_model, text) => {
    const events = whole(answered(...text.match(/[\s\S]{1,7}/gu)!.map((content) => ({ content }))));
    expect(said(events).trim()).toBe('');
    expect(calls(events).map((one) => one.replace('": "', '":"'))).toEqual([WEATHER]);
  });

  // Only an answer that was nothing else was read: everything else was said, braces and all.
  it.each([
    ['JSON', `{"name": "get_weather", "arguments": ${ROME}}`],
    ['JSON with the braces of Qwen’s template', `{{"name": "get_weather", "arguments": ${ROME}}}`],
    ['JSON of a tool that there is not', `{"name": "get_rain", "arguments": ${ROME}}`],
    ['fenced JSON', `\`\`\`json\n{"name": "get_weather", "arguments": ${ROME}}\n\`\`\``],
  ])('behind other words, and before others: %s', (_form, text) => {
    const events = whole(
      answered(...`Let me see. ${text} So.`.match(/[\s\S]{1,7}/gu)!.map((content) => ({ content }))),
    );
    expect(
      said(events)
        .replaceAll(/```(json)?|\s+/g, ' ')
        .trim(),
    ).toMatch(/^Let me see\. +So\.$/);
    expect(calls(events)).toEqual([expect.stringMatching(/^get_(weather|rain) \{"city":"Rome"\}$/)]);
  });

  it('of words in JSON, only the words are said', () => {
    expect(said(whole(answered({ content: '{"response": "Hel' }, { content: 'lo."}' })))).toBe('Hello.');
  });

  it('where it cannot be read, there is nothing of it', () => {
    const reader = READERS.openai();
    expect(said(whole(answered({ content: 'Let me see. <tool_call>oh no</tool_call>' }), reader)).trim()).toBe(
      'Let me see.',
    );
    expect(reader.unread).toBe(1);
  });

  it('and what only looks like one is said', () => {
    for (const text of [
      '[happy] Is 3 < 4? Yes.',
      'I <3 you',
      'Use [brackets], {braces}.',
      '{"a": 1}',
      'I am {"name": "Ada"}.',
    ])
      expect(said(whole(answered({ content: text })))).toBe(text);
  });
});

describe('content', () => {
  it.each<[string, unknown, string]>([
    [
      'a list of parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'Yes.' },
        ],
      },
      'Yes.',
    ],
    ['a refusal', { refusal: 'I cannot say that.' }, 'I cannot say that.'],
  ])('may be %s', (_what, delta, expected) => {
    expect(said(whole(answered(delta)))).toBe(expected);
  });

  it('comes with the fields that the provider wants back', () => {
    const events = whole(
      answered(
        { reasoning_content: 'Ro' },
        { reasoning_content: 'me.' },
        call(made('get_weather', ROME, { index: 0, id: 'x', extra_content: { a: 1 } })),
      ),
    );
    expect(events).toContainEqual({
      type: 'tool-call',
      call: {
        id: 'x',
        name: 'get_weather',
        arguments: ROME,
        echo: { call: { extra_content: { a: 1 } }, message: { reasoning_content: 'Rome.' } },
      },
    });
  });
});

describe('the end of an answer', () => {
  const hello = frame({ content: 'Hello' });
  it.each([
    [
      'frames that are none are skipped',
      `${hello}data: \n\n: PROCESSING\n\ndata: : PROCESSING\n\ndata: null\n\n${answered({ content: ' you' })}`,
      'Hello you',
    ],
    ['one JSON body', JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }), 'Hello'],
    [
      'lines of JSON',
      `${JSON.stringify({ message: { content: 'Hello' }, done: false })}\n${JSON.stringify({ message: { content: '' }, done: true, done_reason: 'stop' })}\n`,
      'Hello',
    ],
    ['events that are wrapped twice', answered({ content: 'Hello' }).replaceAll('data:', 'data: data:'), 'Hello'],
    ['Cloudflare’s own form', 'data: {"response":"Hello"}\n\ndata: {"response":""}\n\ndata: [DONE]\n\n', 'Hello'],
    ['a reason inside of an object', `${hello}data: {"choices":[{"finish_reason":{"type":"stop"}}]}\n\n`, 'Hello'],
    ['an error of TGI', 'data: {"error":"Input validation error","error_type":"validation"}\n\n', 'refused 422'],
    ['an error with its code', `${hello}data: {"error":{"code":401,"message":"no"}}\n\n`, 'refused 401'],
    [
      'an error with a code in words',
      'data: {"error":{"type":"insufficient_quota","message":"no"}}\n\n',
      'refused 402',
    ],
    ['an error of vLLM', 'data: {"object":"error","message":"no","code":400}\n\n', 'refused 400'],
    ['"error" is no end', `${hello}${frame({}, 'error')}`, 'refused 500'],
    ['"" is no end', frame({ content: 'Hello' }, ''), 'broken'],
    ['half of a call is none', frame(call(made('get_weather', '{"ci', { index: 0 })), ''), 'broken'],
    [
      'half of a call, cut by its length',
      `${frame(call(made('get_weather', '{"ci', { index: 0 })))}${frame({}, 'length')}`,
      'broken',
    ],
    ['nothing', answered(), 'empty'],
    ['a filter', `${frame({}, 'content_filter')}data: [DONE]\n\n`, 'declined'],
  ])('%s', (_what, text, expected) => {
    expect(said(whole(text))).toBe(expected);
  });

  it.each([
    ['a call that Gemini could not read', { finishReason: 'MALFORMED_FUNCTION_CALL' }, 'broken'],
    ['nothing of Gemini', { finishReason: 'STOP' }, 'empty'],
    ['a filter of Gemini', { finishReason: 'SAFETY' }, 'declined'],
  ])('%s', (_what, candidate, expected) => {
    expect(whole(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`, READERS.gemini())).toBe(expected);
  });
});
