/**
 * `node scripts/try-meeting.ts LINK`: brings a persona into a real meeting, with a service of its own, and keeps a picture
 * of each step and a report. For providers that could not be tried otherwise.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readSettings } from '../control/index.ts';
import { StartError } from '../engine/index.ts';
import { openLog } from '../service/process/log.ts';
import { openService } from '../service/open-service.ts';

const HELP = `node scripts/try-meeting.ts LINK [options]

Brings a persona into a meeting and keeps what happens in a folder: a picture of each step, and report.md.

  --name NAME      how it is called; " (AI)" is appended (Elena)
  --one-to-one     it greets and answers everything; otherwise it waits for its name
  --seconds N      how long it stays once it is in (60); it waits up to 10 minutes to be let in
  --out FOLDER     where the report goes (meeting-report)

Servers of your own are named in PARLEY_MEETING_SERVERS; all other settings of the service count, too.
The pictures show the meeting and its people: look at them before you give the report to somebody.
`;

/** ms between two looks at the invite. */
const LOOK_MS = 500;
/** ms between two pictures while nothing changes. */
const PICTURE_MS = 10_000;
/** Ends of an invite. */
const OVER = ['ended', 'failed', 'cancelled'];

interface Invite {
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly joinState: string | null;
  readonly statusReason: string | null;
  readonly statusMessage: string | null;
  readonly sessionId: string | null;
}

/** What a person can read: no trace of the program. */
class Refused extends Error {}

const { values, positionals } = readArguments();
const [link] = positionals;
if (values.help === true) {
  console.log(HELP);
  process.exit(0);
}
const staysMs = Number(values.seconds) * 1000;
if (link === undefined) misused('The link of a meeting is missing.');
if (!(staysMs > 0)) misused('--seconds takes a number above 0.');

const out = resolve(values.out);
await mkdir(out, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), 'parley-try-meeting-'));
const apiKey = randomBytes(24).toString('hex');
const settings = readSettings({
  ...process.env,
  PORT: '0',
  PARLEY_UDP_PORT: '0',
  PARLEY_DATA_DIR: dataDir,
  PARLEY_API_KEY: apiKey,
  PARLEY_MEETINGS: 'on',
  PARLEY_LOG_LEVEL: 'warn',
});
let service: Awaited<ReturnType<typeof openService>> | undefined;
try {
  service = await openService(settings, openLog('warn'), () => undefined);
  process.exitCode = await tryMeeting(service.url, link);
} catch (error) {
  if (!(error instanceof Refused || error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await service?.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string', default: 'Elena' },
        'one-to-one': { type: 'boolean', default: false },
        seconds: { type: 'string', default: '60' },
        out: { type: 'string', default: 'meeting-report' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return misused((error as Error).message);
  }
}

function misused(why: string): never {
  console.error(`${why}\n\n${HELP}`);
  process.exit(2);
}

/** @returns the exit status: 0 the persona was in the meeting. */
async function tryMeeting(url: string, meetingUrl: string): Promise<number> {
  const api = apiOf(url);
  const steps: string[] = [];
  const began = performance.now();
  const note = (text: string): void => {
    const line = `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`;
    console.log(line);
    steps.push(line);
  };
  const { data: avatars } = await api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  const persona = await api<{ id: string }>('POST', '/v1/personas', {
    name: values.name,
    avatarId: avatars[0]!.id,
    systemPrompt: `You are ${values.name}, a guest in a meeting. You try whether everything works.`,
  });
  let invite = await api<Invite>('POST', '/v1/meetings/invites', {
    meetingUrl,
    personaId: persona.id,
    groupCall: !values['one-to-one'],
  });
  note(`invited by a link of ${invite.provider}`);
  const pictures: string[] = [];
  let [shown, picturedAt] = ['', 0];
  let inSince: number | null = null;
  while (!OVER.includes(invite.status) && performance.now() < (inSince ?? Infinity) + staysMs) {
    const state = invite.joinState ?? invite.status;
    const changed = state !== shown;
    if (changed) note(state);
    shown = state;
    if (invite.status === 'active') inSince ??= performance.now();
    if (changed || performance.now() - picturedAt > PICTURE_MS) {
      const name = `${String(pictures.length + 1).padStart(2, '0')}-${state}.jpg`;
      if (await keepPicture(url, invite.id, name)) {
        pictures.push(name);
        picturedAt = performance.now();
      }
    }
    await pause(LOOK_MS);
    invite = await api<Invite>('GET', `/v1/meetings/invites/${invite.id}`);
  }
  if (OVER.includes(invite.status)) note(`${invite.status}: ${invite.statusReason} (${invite.statusMessage})`);
  else {
    await api('DELETE', `/v1/meetings/invites/${invite.id}`);
    note('left');
  }
  await writeFile(join(out, 'report.md'), report(invite, steps, pictures, inSince !== null));
  console.log(`The report is in ${out}.`);
  return inSince === null ? 1 : 0;
}

async function keepPicture(url: string, id: string, name: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/meetings/invites/${id}/picture`, { headers: bearer() });
  if (!response.ok) return false;
  await writeFile(join(out, name), Buffer.from(await response.arrayBuffer()));
  return true;
}

function report(invite: Invite, steps: readonly string[], pictures: readonly string[], wasIn: boolean): string {
  return [
    `# A try with ${invite.provider}`,
    '',
    `The persona ${wasIn ? 'was in the meeting' : 'did not come in'}. Linux ${release()}, Node ${process.version}.`,
    '',
    '```',
    ...steps,
    '```',
    '',
    ...pictures.map((name) => `![${name}](${name})\n`),
  ].join('\n');
}

function bearer(): { authorization: string } {
  return { authorization: `Bearer ${apiKey}` };
}

/** Asks the service at an address. It throws Refused, with the reason in words. */
function apiOf(url: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...bearer(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = (text === '' ? {} : JSON.parse(text)) as T & { message?: string };
    if (!response.ok) throw new Refused(answer.message ?? `${method} ${path} was answered with ${response.status}.`);
    return answer;
  };
}
