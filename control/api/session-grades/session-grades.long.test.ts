import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../engine/testing/eventually.ts';
import { createLanguageModel } from '../../../models/llm/index.ts';
import { createOfflineLlm } from '../../../models/llm/offline-llm.ts';
import { delta, type ScriptedServer, scriptedServer, sse } from '../../../models/llm/testing/scripted-server.ts';
import { fakePorts } from '../../testing/fake-ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabasesEachNight } from '../../testing/stores.ts';

const GRADING = {
  criteria: [{ name: 'Booked', description: 'The guest has a room.' }],
  fields: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
};
const answer = (passed: boolean | null) =>
  JSON.stringify({ summary: 'A room.', criteria: { c1: { passed, why: 'So.' } }, fields: { nights: '2' } });

/** What LLMs answer who are asked for JSON, in their order; the last one again and again. */
const HABITS: Readonly<Record<string, readonly string[]>> = {
  plain: [answer(true)],
  fenced: [`Here you are:\n\`\`\`json\n${answer(false)}\n\`\`\``],
  unsure: [`<think>{"summary": 1}</think>${answer(null)}`],
  'put right': ['{"summary": "A room', answer(true)],
  refusing: ['I’m sorry, but I can’t help with that.'],
  broken: [],
};

describeOnBothDatabasesEachNight('grades of sessions', (stores) => {
  let service: TestService;
  let server: ScriptedServer;
  let webhookId: string;
  const asked = new Map<string, number>();
  beforeAll(async () => {
    server = await scriptedServer((response, { body }) => {
      const habit = String(body['model']);
      const count = asked.get(habit) ?? 0;
      asked.set(habit, count + 1);
      const texts = HABITS[habit]!;
      const text = texts[Math.min(count, texts.length - 1)];
      if (text === undefined)
        return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
      const usage = { choices: [], usage: { prompt_tokens: 200, completion_tokens: 30 } };
      sse(response, [delta({ role: 'assistant', content: text }), delta({}, 'stop'), usage]);
    });
    const offline = createOfflineLlm();
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
      ports: {
        llms: { ...fakePorts([]).llms, stock: () => offline, custom: (definition) => createLanguageModel(definition) },
      },
    });
    ({ id: webhookId } = await service.granted('POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:9/',
      eventTypes: ['session.graded'],
    }));
  });
  afterAll(async () => {
    await service.close();
    await server.close();
  });

  /** A conversation with a persona whose LLM has a habit. Null: with the stand-in. */
  async function talk(habit: string | null, persona: object = {}): Promise<string> {
    const llm =
      habit === null
        ? {}
        : {
            llmId: (
              await service.granted('POST', '/v1/llms', {
                displayName: habit,
                llmFormat: 'openai',
                urls: [{ url: `${server.url}/v1` }],
                modelName: habit,
                secret: 'k',
              })
            ).id,
          };
    const body = { name: 'Porter', avatarId: STOCK.avatar, grading: GRADING, ...llm, ...persona };
    const { id: personaId } = await service.granted('POST', '/v1/personas', body);
    const { sessionId } = await service.granted('POST', '/v1/engine/session', { personaConfig: { personaId } });
    for (const [index, role] of (['user', 'persona'] as const).entries())
      service.engine.report(sessionId, {
        kind: 'message',
        message: {
          messageId: `m${index}`,
          role,
          text: `${role} says it`,
          at: index,
          speakingMs: 1,
          interrupted: false,
        },
      });
    service.engine.end(sessionId, 1_000);
    service.clock.now += 2_000;
    await service.sessions.flush();
    return sessionId;
  }
  const gradeOf = (id: string) => service.granted('GET', `/v1/sessions/${id}/grade`);
  const graded = (id: string) =>
    eventually(async () => {
      const grade = await gradeOf(id);
      expect(grade.grade).not.toBe('pending');
      return grade;
    });

  it('are read from whatever LLMs make of the request', async () => {
    const [plain, fenced, unsure, putRight] = await Promise.all(
      ['plain', 'fenced', 'unsure', 'put right'].map((habit) => talk(habit)),
    );
    expect(await graded(plain!)).toMatchObject({
      grade: 'passed',
      summary: 'A room.',
      criteria: [{ name: 'Booked', passed: true, why: 'So.' }],
      fields: { nights: 2 },
      problem: null,
      attempts: 1,
    });
    expect((await graded(fenced!)).grade).toBe('failed');
    expect((await graded(unsure!)).grade).toBe('unclear');
    expect((await graded(putRight!)).grade).toBe('passed');
    expect(asked.get('put right')).toBe(2);
    // Both answers are paid with the session.
    const tokens = { inputTokens: 400, outputTokens: 60 };
    expect((await service.granted('GET', `/v1/sessions/${putRight}`)).usage).toEqual([
      { service: 'llm', provider: 'openai put right', requests: 2, unreportedRequests: 0, ...tokens },
    ]);
    const { messages } = server.seen.find(({ body }) => body['model'] === 'plain')!.body as {
      messages: { content: string }[];
    };
    expect(messages[1]!.content).toContain('{"user":"user says it"}');
    const listed = (await service.granted('GET', '/v1/sessions?grade=failed')).data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([fenced]);
    const { data } = await service.granted('GET', `/v1/webhooks/${webhookId}/deliveries`);
    expect(
      data.find(({ event }: { event: { sessionId: string } }) => JSON.stringify(event).includes(plain!)).event.data,
    ).toMatchObject({
      grade: 'passed',
      criteria: [{ name: 'Booked', passed: true }],
    });
    const { personaId } = await service.granted('GET', `/v1/sessions/${plain}`);
    const { data: figures } = await service.granted('GET', `/v1/personas/${personaId}/figures`);
    expect(figures).toMatchObject([
      {
        version: 1,
        sessions: 1,
        averageLengthMs: 1_000,
        firstAudioLatencySeconds: { count: 0, p50: null, p95: null },
        criteria: [{ name: 'Booked', passed: 1, failed: 0, unclear: 0 }],
      },
    ]);
    const csv = (await service.send('GET', '/v1/sessions/export?grade=passed')).text.split('\r\n');
    expect(csv[0]).toContain(',grade,summary,criteria,fields');
    expect(csv.find((line) => line.startsWith(plain!))).toContain('passed,A room.,');
  });

  const failed = (id: string, times: number) =>
    eventually(() => {
      const told = service.logged.filter((line) => line.includes('could not be graded') && line.includes(id));
      expect(told).toHaveLength(times);
    });

  it('are tried some times, shown as failed, and made on request', async () => {
    const id = await talk('refusing');
    for (let attempts = 1; attempts <= 4; attempts++) {
      await failed(id, attempts);
      expect(await gradeOf(id)).toMatchObject({
        grade: attempts < 4 ? 'pending' : 'error',
        attempts,
        problem: 'The LLM did not answer with the JSON that it was asked for.',
      });
      service.clock.now += 3_600_000;
    }
    expect(asked.get('refusing')).toBe(8);
    expect((await service.granted('POST', `/v1/sessions/${id}/grade`)).grade).toBe('pending');
    await failed(id, 5);
    expect(asked.get('refusing')).toBe(10);
  });

  it('tell what the LLM itself said of an error', async () => {
    const id = await talk('broken');
    await failed(id, 1);
    expect((await gradeOf(id)).problem).toMatch(/^The LLM failed: /);
  });

  it('of the stand-in are the same each time, and judge nothing', async () => {
    const id = await talk(null);
    expect(await graded(id)).toMatchObject({
      grade: 'unclear',
      summary: 'The user spoke once, first: “user says it”. The persona said last: “persona says it”.',
      fields: {},
    });
  });

  it('are not made without data retention, without words, or for a persona that asks for nothing', async () => {
    for (const persona of [{ zeroDataRetention: true }, { grading: null }]) {
      const id = await talk(null, persona);
      expect((await service.send('GET', `/v1/sessions/${id}/grade`)).status).toBe(404);
    }
    const later = await talk('plain', { grading: null });
    expect((await service.send('POST', `/v1/sessions/${later}/grade`)).status).toBe(409);
  });

  it('lose what the LLM wrote with the content of their session', async () => {
    const id = await talk('plain');
    await graded(id);
    await service.send('DELETE', `/v1/sessions/${id}`);
    expect(await gradeOf(id)).toMatchObject({
      grade: 'passed',
      summary: null,
      fields: null,
      criteria: [{ name: 'Booked', passed: true, why: null }],
    });
  });

  it('have to ask for something, by a schema that is one', async () => {
    const refused = async (grading: object) =>
      (await service.send('POST', '/v1/personas', { name: 'P', avatarId: STOCK.avatar, grading })).body.details?.[0]
        ?.path;
    expect(await refused({ summary: false })).toBe('grading');
    expect(await refused({ fields: { type: 'object', properties: { a: { type: 'strin' } } } })).toContain(
      'grading.fields',
    );
    expect(
      await refused({
        criteria: [
          { name: 'a', description: 'x' },
          { name: 'a', description: 'y' },
        ],
      }),
    ).toBe('grading.criteria');
  });
});
