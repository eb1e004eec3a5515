/**
 * PyPI `voicebench`, which knows nothing of Parley, calls a persona over `/v1/realtime` as it would call any voice agent: how soon
 * it answers, whether an interruption stops it, whether a cough does; all from the sound. The service has its recognizer and voice
 * of this machine, and an LLM that answers at once: no network is needed.
 *
 *   python3 -m venv V && V/bin/pip install voicebench==0.2.0
 *   VOICEBENCH=V/bin/voicebench node bench/voicebench.ts [--sessions 3] [--out FOLDER]
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { spokenWav } from '../e2e/support/spoken-wav.ts';
import { startServiceProcess } from './lib/service-process.ts';

const { values: args } = parseArgs({
  options: { sessions: { type: 'string', default: '3' }, out: { type: 'string' } },
});
const TURNS = {
  question: 'When do you open?',
  interruption: 'Stop, please. Tell me about the shoes.',
  another: 'What is the price?',
  last: 'Thank you and goodbye.',
};
/** Long enough to be interrupted, and to go on through a cough. */
const ANSWER =
  'We open at nine in the morning on all days of the week. On Sundays and holidays we open at ten instead.';

const folder = await mkdtemp(path.join(tmpdir(), 'parley-voicebench-'));
const here = new URL('voicebench/', import.meta.url).pathname;
for (const file of ['conversation.yaml', 'realtime_adapter.py'])
  await cp(path.join(here, file), path.join(folder, file));
for (const [id, text] of Object.entries(TURNS)) await writeFile(path.join(folder, `${id}.wav`), await spokenWav(text));

const llm = createServer((request, response) => {
  request.resume().on('end', () => {
    const choices = [{ index: 0, delta: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\ndata: [DONE]\n\n`);
  });
}).listen(0, '127.0.0.1');
await once(llm, 'listening');
const { port } = llm.address() as AddressInfo;
const service = await startServiceProcess({ PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
try {
  const first = async (list: string): Promise<string> =>
    (await service.api<{ data: { id: string }[] }>('GET', `/v1/${list}?perPage=1`)).data[0]!.id;
  const { id: llmId } = await service.api<{ id: string }>('POST', '/v1/llms', {
    displayName: 'At once',
    llmFormat: 'openai',
    url: `http://127.0.0.1:${port}/v1`,
    modelName: 'at-once',
    secret: 'none',
  });
  const { id: personaId } = await service.api<{ id: string }>('POST', '/v1/personas', {
    name: 'Ada',
    avatarId: await first('avatars'),
    voiceId: await first('voices'),
    llmId,
    systemPrompt: 'You keep a shop.',
  });
  const url = `${service.url.replace('http', 'ws')}/v1/realtime?model=${personaId}`;
  const run = ['run', 'conversation.yaml', '--url', url, '-o', `key=${service.apiKey}`, '-n', args.sessions];
  const { stdout } = await promisify(execFile)(
    process.env['VOICEBENCH'] ?? 'voicebench',
    [...run, '--out', args.out ?? path.join(folder, 'report')],
    { cwd: folder, env: { ...process.env, PYTHONPATH: folder } },
  ).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  console.log(`${stdout}\nload ${loadavg()[0]!.toFixed(1)}; report in ${args.out ?? path.join(folder, 'report')}`);
} finally {
  await service.stop();
  llm.close();
  llm.closeAllConnections();
}
