import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../engine/testing/eventually.ts';
import { createLanguageModel } from '../../../models/llm/index.ts';
import { delta, type ScriptedServer, scriptedServer, sse } from '../../../models/llm/testing/scripted-server.ts';
import { call } from '../../sessions/records/testing/records.ts';
import { fakePorts } from '../../testing/fake-ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

/*
 * An LLM says the same in other words each time, words the arguments of its tools anew, and grades in the form that it likes. A
 * test of a recorded session passed with the stand-in only: with such an LLM, calls had no mock, and verdicts were not found.
 */

const PROMPT = 'You are the receptionist. Breakfast is from 7 to 10.';
const ANSWERS = ['Breakfast is from seven to ten.', 'We serve it at 7, until 10.', 'From seven on. It ends at ten.'];
const NOTES = ['the guest asks', 'asked by a guest', 'guest wants to know'];
const VERDICTS = [
  'VERDICT: the same.',
  '**VERDICT** – it says so.',
  'I compared them.\n\nVerdict: VERDICT',
  'Well, hard to say.',
];

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Answers as such an LLM, one form after the other. */
function varyingLlm(): (response: ServerResponse, asked: Asked) => void {
  const counts = new Map<readonly string[], number>();
  return (response, { messages }) => {
    const next = (texts: readonly string[]): string => {
      const count = counts.get(texts) ?? 0;
      counts.set(texts, count + 1);
      return texts[count % texts.length]!;
    };
    const say = (text: string): void => sse(response, [delta({ role: 'assistant', content: text }), delta({}, 'stop')]);
    const [system, ...talk] = messages;
    if (system!.content.startsWith('You grade')) {
      const isSame = /seven|\b7\b/.test(talk[0]!.content.split('Conversation as JSON')[1] ?? '');
      const isAskedAgain = talk.length > 1;
      return say((isAskedAgain ? 'VERDICT' : next(VERDICTS)).replaceAll('VERDICT', isSame ? 'PASS' : 'FAIL'));
    }
    if (!system!.content.includes('from 7 to 10')) return say('I do not know that.');
    if (talk.at(-1)!.role === 'tool') return say(next(ANSWERS));
    const args = JSON.stringify({ day: 'saturday', note: next(NOTES) });
    const toolCall = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'look_up_day', arguments: args },
    };
    sse(response, [delta({ role: 'assistant', tool_calls: [toolCall] }), delta({}, 'tool_calls')]);
  };
}

describeOnSqlite('a test with an LLM that varies', (stores) => {
  let service: TestService;
  let server: ScriptedServer;
  let personaId: string;
  let testId: string;
  beforeAll(async () => {
    const answer = varyingLlm();
    server = await scriptedServer((response, { body }) => answer(response, body as unknown as Asked));
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
      ports: { llms: { ...fakePorts([]).llms, custom: (definition) => createLanguageModel(definition) } },
    });
    const llm = {
      displayName: 'Varies',
      llmFormat: 'openai',
      urls: [{ url: `${server.url}/v1` }],
      modelName: 'm',
      secret: 'k',
    };
    const tool = {
      name: 'look_up_day',
      description: 'Whether the house is open.',
      type: 'CLIENT',
      config: { awaitResult: true },
    };
    personaId = (
      await service.granted('POST', '/v1/personas', {
        name: 'Ada',
        avatarId: STOCK.avatar,
        systemPrompt: PROMPT,
        skipGreeting: true,
        llmId: (await service.granted('POST', '/v1/llms', llm)).id,
        toolIds: [(await service.granted('POST', '/v1/tools', tool)).id],
      })
    ).id;
    testId = (
      await service.granted('POST', `/v1/personas/${personaId}/tests/from-session`, { sessionId: await recorded() })
    ).id;
  });
  afterAll(async () => {
    await service.close();
    await server.close();
  });

  async function recorded(): Promise<string> {
    const { sessionId } = await service.granted('POST', '/v1/engine/session', { personaConfig: { personaId } });
    const said = { user: 'When is breakfast on Saturday?', persona: 'It is from seven to ten.' };
    for (const [index, role] of (['user', 'persona'] as const).entries())
      service.engine.report(sessionId, {
        kind: 'message',
        message: { messageId: `m${index}`, role, text: said[role], at: index, speakingMs: 1, interrupted: false },
      });
    const args = { day: 'saturday', note: 'a guest would like to know' };
    service.engine.report(sessionId, {
      kind: 'toolCall',
      call: call({ toolName: 'look_up_day', toolType: 'client', arguments: args, result: '{"open":true}' }),
    });
    service.engine.end(sessionId, 1_000);
    await service.sessions.flush();
    return sessionId;
  }
  const run = async () => {
    const { id } = await service.granted('POST', `/v1/personas/${personaId}/test-runs`, {});
    return eventually(async () => {
      const now = await service.granted('GET', `/v1/personas/${personaId}/test-runs/${id}`);
      expect(['passed', 'failed']).toContain(now.status);
      return now;
    });
  };

  it('of a recorded session passes each time with the same prompt, and fails with a worse one', async () => {
    const { name, user, mocks, checks } = await service.granted('GET', `/v1/personas/${personaId}/tests/${testId}`);
    await service.granted('PUT', `/v1/personas/${personaId}/tests/${testId}`, {
      name,
      user,
      mocks,
      checks,
      repeat: 12,
    });
    const { status, results } = await run();
    expect(status, JSON.stringify(results)).toBe('passed');
    expect(results[0].attempts).toHaveLength(12);
    const said = results[0].attempts.map((one: { messages: { text: string }[] }) => one.messages.at(-1)!.text);
    expect(new Set(said).size).toBe(ANSWERS.length);
    await service.granted('PUT', `/v1/personas/${personaId}`, { systemPrompt: 'You are the receptionist.' });
    const worse = await run();
    expect(worse.status).toBe('failed');
    expect(worse.results[0].attempts.every(({ passed }: { passed: boolean }) => !passed)).toBe(true);
  });
});
