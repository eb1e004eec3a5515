import { describe, expect, it } from 'vitest';
import { answered, frame, readAnswer } from '../testing/read-answer.ts';

/** Further kin of the calls in `answer-stream.test.ts`: spoken, dropped without a word, made twice, or not understood. */

const ROME = '{"city":"Rome"}';
const WEATHER = `get_weather ${ROME};`;
const made = (name: string, args: unknown, id?: string): object => ({
  tool_calls: [{ index: 0, ...(id !== undefined && { id }), function: { name, arguments: args } }],
});
/** So that blanks of the model do not count. */
const read = (body: string): string =>
  readAnswer(body)
    .replaceAll(/(?<=[:{,]) (?=")/g, '')
    .trim();
const tag = (name: string): string => `ant${'ml'}:${name}`;

describe('A call that leaks as text is made, of', () => {
  it.each([
    [
      'gpt-oss, to whom it is first',
      `<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>${ROME}<|call|>`,
    ],
    ['gpt-oss whose marks are lost', `commentary to=functions.get_weather json${ROME}`],
    ['Phi 4', `functools[{"name": "get_weather", "arguments": ${ROME}}]`],
    ['Mistral without its bracket', `TOOL_CALLS[{"name": "get_weather", "arguments": ${ROME}}]`],
    ['Llama 3', '<|python_tag|>get_weather.call(city="Rome")'],
    ['Nexus', 'Call: get_weather(city="Rome")<bot_end>'],
    [
      'Claude',
      `<${tag('function_calls')}><${tag('invoke')} name="get_weather"><${tag('parameter')} name="city">Rome</${tag('parameter')}></${tag('invoke')}></${tag('function_calls')}>`,
    ],
    ['a prompt for tools', `<tool_use><name>get_weather</name><arguments>${ROME}</arguments></tool_use>`],
    [
      'Cline',
      `<use_mcp_tool><server_name>s</server_name><tool_name>get_weather</tool_name><arguments>${ROME}</arguments></use_mcp_tool>`,
    ],
    ['a tag with a name', `<function_call name="get_weather">${ROME}</function_call>`],
    ['a tag with a hyphen', `<tool-call>{"name": "get_weather", "arguments": ${ROME}}</tool-call>`],
    ['a tag that was escaped', `&lt;tool_call&gt;{"name": "get_weather", "arguments": ${ROME}}&lt;/tool_call&gt;`],
    ['a name and JSON', `get_weather: ${ROME}`],
    ['a name above JSON', `get_weather\n${ROME}`],
    ['an arrow', `get_weather -> ${ROME}`],
    ['a note', `[Calling tool get_weather with args ${ROME}]`],
    ['Qwen-Agent', `✿FUNCTION✿: get_weather\n✿ARGS✿: ${ROME}`],
    ['FunctionGemma', '<start_function_call>call:get_weather{city:<escape>Rome<escape>}<end_function_call>'],
    ['Hunyuan', `<tool_sep>get_weather<tool_sep>${ROME}`],
    ['InternLM', `<|plugin|>{"name": "get_weather", "parameters": ${ROME}}<|plugin_end|>`],
    ['other tags', '<execute_tool>get_weather(city="Rome")</execute_tool>'],
    ['other brackets', `[TOOL_CALL]{"name": "get_weather", "arguments": ${ROME}}[/TOOL_CALL]`],
    ['a tag with attributes', '<function name="get_weather"><parameter name="city">Rome</parameter></function>'],
    ['a call with its name', `<call name="get_weather">${ROME}</call>`],
    ['YAML', 'tool: get_weather\narguments:\n  city: Rome'],
    ['words and a name', `Calling function: get_weather with arguments ${ROME}`],
    ['words on lines', `Function call: get_weather\nArguments: ${ROME}`],
    ['fewer words', `tool: get_weather\nparams: ${ROME}`],
    ['two tags', `<tool>get_weather</tool><tool_input>${ROME}</tool_input>`],
    ['two other tags', `<action>get_weather</action>\n<action_input>${ROME}</action_input>`],
  ])('%s', (_, text) => {
    expect(read(answered({ content: text })).replace('<bot_end>', '')).toBe(WEATHER);
    expect(read(answered(...Array.from(text, (content) => ({ content })))).replace('<bot_end>', '')).toBe(WEATHER);
  });

  /** Its marks were spoken: "less than action greater than", or "Tool call". */
  it.each([
    ['<action>', '</action>'],
    ['<tool_code>\n', '\n</tool_code>'],
    ['<|tool|>', '<|/tool|>'],
    ['Tool call: ', ''],
    ['[Tool call: ', ']'],
    ['(tool_call: ', ')'],
    ['`', '`'],
    ['```python\nprint(', ')\n```'],
    ['```json\n', '\n```'],
    ['print(default_api.', ')'],
    ['functions.', ''],
    ['await ', ''],
    ['**', '**'],
  ])('without what is around it: %j', (before, after) => {
    for (const call of ['get_weather(city="Rome")', `{"name":"get_weather","arguments":${ROME}}`]) {
      const text = `One moment. ${before}${call}${after} Thank you.`;
      for (const pieces of [[text], Array.from(text)])
        expect(read(answered(...pieces.map((content) => ({ content }))))).toMatch(
          /^One moment\.\s+Thank you\.get_weather \{"city":"Rome"\};$/,
        );
    }
  });

  it('with its only argument, where that has no name', () => {
    expect(read(answered({ content: 'get_weather("Rome")' }))).toBe('get_weather "Rome";');
  });

  it('and what is around words is said', () => {
    const text = 'Use <b>this</b> tool: it works (really). Call: 555-0199. `code`, *action*, [1] and print(1) <action';
    for (const pieces of [[text], Array.from(text)])
      expect(readAnswer(answered(...pieces.map((content) => ({ content }))))).toBe(text);
  });

  it('and a name with brackets or braces that is none is said', () => {
    for (const text of ['get_weather {soon}.', 'I call get_weather: now.'])
      expect(readAnswer(answered({ content: text }))).toBe(text);
  });
});

describe('A call is one, whose', () => {
  it.each([
    ['name has the mark of the model', [made('<function=get_weather>', ROME)]],
    ['name has its arguments', [made('get_weather(city="Rome")', '')]],
    ['name is JSON', [made('{"name":"get_weather"}', ROME)]],
    ['name has the server before it', [made('mcp__hotel__get_weather', ROME)]],
    ['arguments have words behind them', [made('get_weather', `${ROME} I hope this helps.`)]],
    [
      'whole is sent again at the end, with another id',
      [made('get_weather', ROME, 'a'), made('get_weather', ROME, 'b')],
    ],
    ['arguments are called input', [{ tool_calls: [{ index: 0, name: 'get_weather', input: { city: 'Rome' } }] }]],
    [
      'place is among the parts of the text',
      [{ content: [{ type: 'tool_use', name: 'get_weather', input: { city: 'Rome' } }] }],
    ],
  ])('%s', (_, deltas) => expect(read(answered(...deltas))).toBe(WEATHER));

  it('piece is damaged is none: without it, it was made for "Ro"', () => {
    const pieces = [made('get_weather', '{"city":"Ro', 'a'), made('', 'me, Ita'), made('', '"}'), {}];
    const frames = pieces.map((delta) => frame({ choices: [{ index: 0, delta, finish_reason: null }] }));
    frames[1] = `${frames[1]!.slice(0, 40)}\n\n`;
    const end = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
    expect(readAnswer([...frames, end].join(''))).toBe('broken');
  });

  it('message is beside an empty delta', () => {
    const choice = { index: 0, delta: {}, message: made('get_weather', ROME), finish_reason: 'tool_calls' };
    expect(read(frame({ choices: [choice] }))).toBe(WEATHER);
  });

  it('tool has no arguments, and is called twice', () =>
    expect(read(answered(made('get_time', '{}', 'a'), made('get_time', '{}', 'b')))).toBe('get_time {};get_time {};'));
});
