/**
 * PyPI `voicebench`, which knows nothing of Parley, calls voice agents: how soon they answer, whether an interruption stops them,
 * whether a cough does; all from the sound. One is a persona, over `/v1/realtime`. The other is a pipeline of LiveKit Agents in
 * a LiveKit room, with the same recognizer, an LLM that says the same and a voice of the same engine: what differs is who takes
 * turns. No network is needed.
 *
 *   python3 -m venv V && V/bin/pip install 'voicebench[livekit]==0.2.0'
 *   VOICEBENCH=V/bin/voicebench node bench/voicebench.ts [--sessions 3] [--agents parley,livekit] [--out FOLDER]
 *
 * `livekit` needs `bash scripts/install-livekit.sh`.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { runInRoom, startLivekitServer } from '../e2e/support/livekit.ts';
import { spokenWav } from '../e2e/support/spoken-wav.ts';
import { livekitTools } from '../runtime/testing/livekit-tools.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { openStandIns } from './voicebench/stand-ins.ts';

const { values: args } = parseArgs({
  options: {
    sessions: { type: 'string', default: '3' },
    agents: { type: 'string', default: 'parley,livekit' },
    out: { type: 'string' },
  },
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
const PIPELINE = new URL('voicebench/pipeline_agent.py', import.meta.url).pathname;

const folder = await mkdtemp(path.join(tmpdir(), 'parley-voicebench-'));
for (const file of ['conversation.yaml', 'realtime_adapter.py'])
  await cp(new URL(`voicebench/${file}`, import.meta.url).pathname, path.join(folder, file));
for (const [id, text] of Object.entries(TURNS)) await writeFile(path.join(folder, `${id}.wav`), await spokenWav(text));
const standIns = await openStandIns(ANSWER);
try {
  if (args.agents.includes('parley')) await callPersona();
  if (args.agents.includes('livekit')) await callPipeline();
} finally {
  await standIns.close();
}

async function callPersona(): Promise<void> {
  const service = await startServiceProcess({ PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
  try {
    const first = async (list: string): Promise<string> =>
      (await service.api<{ data: { id: string }[] }>('GET', `/v1/${list}?perPage=1`)).data[0]!.id;
    const { id: llmId } = await service.api<{ id: string }>('POST', '/v1/llms', {
      displayName: 'At once',
      llmFormat: 'openai',
      url: `${standIns.url}/v1`,
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
    await report('parley', ['--url', url, '-o', `key=${service.apiKey}`]);
  } finally {
    await service.stop();
  }
}

async function callPipeline(): Promise<void> {
  const tools = livekitTools();
  if (tools?.python == null) throw new Error('bash scripts/install-livekit.sh');
  const livekit = await startLivekitServer(tools);
  const agent = await runInRoom(tools, PIPELINE, { ...livekit.env, STAND_INS: standIns.url, ANSWER });
  try {
    while (!agent.output().includes('registered worker')) await new Promise((resolve) => setTimeout(resolve, 100));
    await report('livekit', ['--adapter', 'livekit', '-o', 'agent_name=pipeline'], livekit.env);
  } finally {
    await agent.close();
    await livekit.close();
  }
}

/** Prints what voicebench says. */
async function report(name: string, options: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const out = path.join(args.out ?? folder, name);
  const run = ['run', 'conversation.yaml', ...options, '-n', args.sessions, '--out', out];
  const { stdout } = await promisify(execFile)(process.env['VOICEBENCH'] ?? 'voicebench', run, {
    cwd: folder,
    env: { ...process.env, ...env, PYTHONPATH: folder },
  }).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  console.log(`${name}\n${stdout}\nload ${loadavg()[0]!.toFixed(1)}; report in ${out}\n`);
}
