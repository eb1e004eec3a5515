import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { serveOnLoopback } from './loopback-server.ts';

/**
 * A service for the console's own tests: the built console, a few /v1 resources with fixed content, and no engine.
 * The conversation itself is played by `console-peer.ts` inside the page.
 */
export interface ConsoleService {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body: unknown }[];
  close(): Promise<void>;
}

export const CONSOLE_KEY = 'console-test-key';
/** Of another organization. */
export const STRANGE_KEY = 'key-of-somebody-else';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * @param options.timeline null: this service does not tell its timings. @param options.facesDrawn of four.
 * @defaultValue all
 */
export async function startConsoleService(dist: string, options: ConsoleOptions = {}): Promise<ConsoleService> {
  const api = new ConsoleApi(options);
  const { port, close } = await serveOnLoopback((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/readyz') answer(response, 200, readiness(options.facesDrawn?.() ?? AVATARS.length));
    else void (path.startsWith('/v1/') ? api.take(request, response, path) : servePage(dist, response, path));
  });
  return { url: `http://127.0.0.1:${port}`, requests: api.requests, close };
}

interface ConsoleOptions {
  readonly timeline?: unknown;
  readonly sessions?: readonly unknown[];
  readonly latencies?: readonly unknown[];
  readonly facesDrawn?: () => number;
}

type Answer = readonly [status: number, value: unknown];

/** The resources. What is made here is kept. */
class ConsoleApi {
  readonly requests: { method: string; path: string; body: unknown }[] = [];
  readonly #options: ConsoleOptions;
  readonly #personas = [...PERSONAS];
  readonly #videos: unknown[] = [];

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  async take(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', headers } = request;
    const body: unknown = headers['content-type'] === 'application/json' ? JSON.parse(text) : undefined;
    this.requests.push({ method, path, body });
    const found =
      forStrangers(path, headers.authorization) ??
      (method === 'POST' ? this.#make(path, body) : null) ??
      this.#about(path, body) ??
      this.#read(path);
    answer(response, ...(found ?? [404, { error: 'Not found', message: 'Not found' }]));
  }

  #make(path: string, body: unknown): Answer | null {
    if (path === '/v1/personas') {
      const made = { ...PERSONAS[0], ...(body as object), id: 'made-here', isDefaultPersona: false };
      this.#personas.push(made as never);
      return [201, made];
    }
    if (path === '/v1/avatars')
      return [201, { ...AVATARS[0], id: 'own', displayName: 'Grace hopper', createdByOrganizationId: 'o1' }];
    if (path !== '/v1/avatar-videos') return null;
    this.#videos.push({ ...VIDEO, ...(body as object) });
    return [201, this.#videos[0]];
  }

  /** What there is once. */
  #about(path: string, body: unknown): Answer | null {
    if (path === '/v1/organization') return [200, { id: 'o1', name: 'Brightwater' }];
    if (path === '/v1/organization/transcription') return [200, { ...TRANSCRIPTION, ...(body as object) }];
    if (path === '/v1/provider-latencies') return [200, { data: this.#options.latencies ?? [] }];
    if (path === '/v1/auth/session-token') return [200, { sessionToken: SESSION_TOKEN }];
    return null;
  }

  /** Lists, and what is in them. */
  #read(path: string): Answer | null {
    const { sessions = [], timeline } = this.#options;
    const persona = this.#personas.find(({ id }) => path === `/v1/personas/${id}`);
    if (persona !== undefined) return [200, persona];
    if (this.#personas.some(({ id }) => path === `/v1/personas/${id}/draft`)) return [200, NO_DRAFT];
    const lists: Readonly<Record<string, readonly unknown[]>> = {
      '/v1/personas': this.#personas,
      '/v1/avatars': AVATARS,
      '/v1/voices': VOICES,
      '/v1/llms': LLMS,
      '/v1/sessions': sessions,
      '/v1/avatar-videos': this.#videos,
    };
    const list = lists[path];
    if (list !== undefined) return [200, { data: list, meta: { total: list.length, currentPage: 1, lastPage: 1 } }];
    if (path.endsWith('/timeline') && timeline !== undefined) return [200, timeline];
    const session = sessions.find((one) => path === `/v1/sessions/${(one as { id: string }).id}`);
    if (session !== undefined) return [200, session];
    return path.endsWith('/transcript') ? [200, TRANSCRIPT] : null;
  }
}

/** What is answered to everybody but the owner of the key. Null: it is the owner. */
function forStrangers(path: string, authorization: string | undefined): Answer | null {
  if (path === '/v1/engine/session' && authorization === `Bearer ${SESSION_TOKEN}`) return [200, START];
  if (path === '/v1/organization' && authorization === `Bearer ${STRANGE_KEY}`)
    return [200, { id: 'o2', name: 'Somebody else' }];
  if (authorization !== `Bearer ${CONSOLE_KEY}`)
    return [401, { error: 'Invalid API key', message: 'The API key is not known.' }];
  return null;
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function readiness(facesDrawn: number) {
  const faces = facesDrawn < AVATARS.length ? 'warming' : 'ok';
  return { status: 'ready', faces, facesDrawn, facesTotal: AVATARS.length };
}

async function servePage(dist: string, response: ServerResponse, path: string): Promise<void> {
  const file = join(dist, normalize(path === '/' ? '/index.html' : path));
  try {
    const content = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

const VIDEO = {
  id: 'f1',
  status: 'processing',
  progress: 0.4,
  width: 720,
  height: 480,
  durationSeconds: null,
  videoUrl: null,
  errorMessage: null,
  createdAt: '2026-01-02T10:00:00.000Z',
};

/** Only its form counts here. */
const SESSION_TOKEN = `header.${btoa('{"type":"stateful"}')}.signature`;

/** Every persona is as it is live. */
const NO_DRAFT = {
  changes: {},
  content: {},
  live: {},
  liveVersion: 1,
  baseVersion: 1,
  updatedAt: null,
  keptUntil: null,
};

const TRANSCRIPTION = {
  languageCode: 'fr',
  recognizer: null,
  keyTerms: ['Brightwater'],
  recognizers: [
    { id: 'deepgram', languages: ['de', 'en', 'fr'] },
    { id: 'openai', languages: 'any' },
  ],
  updatedAt: null,
};
const START = {
  sessionId: '11111111-1111-4111-8111-111111111111',
  region: 'eu',
  engineHost: 'engine.test:9',
  engineProtocol: 'http',
  signallingEndpoint: '/ws',
  clientConfig: { heartbeatIntervalSeconds: 5, maxWsReconnectionAttempts: 5, iceServers: [] },
};

const image = (from: string, to: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 480"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="720" height="480" fill="url(#g)"/><ellipse cx="360" cy="470" rx="190" ry="150" fill="#33405e"/><rect x="320" y="290" width="80" height="70" fill="#d9a583"/><ellipse cx="360" cy="215" rx="98" ry="122" fill="#e8b796"/><path d="M255 215c0-150 210-150 210 0-20-60-60-80-105-80s-85 20-105 80z" fill="#3b2a22"/><circle cx="322" cy="215" r="9" fill="#2a2320"/><circle cx="398" cy="215" r="9" fill="#2a2320"/><path d="M325 275q35 22 70 0" stroke="#a3483a" stroke-width="7" fill="none" stroke-linecap="round"/></svg>`)}`;

const AVATARS = [
  ['a1', 'Mira', '#dfe7f2', '#b9c8e0'],
  ['a2', 'Jonas', '#f5e3d3', '#e2bd9b'],
  ['a3', 'Aiko', '#e0efe4', '#abd0b6'],
  ['a4', 'Paolo', '#efe0ef', '#cfaad0'],
].map(([id, displayName, from, to]) => ({
  id,
  displayName,
  imageUrl: image(from ?? '', to ?? ''),
  landscapeImageUrl: null,
  description: 'An illustrated face.',
  displayTags: [],
  availableVersions: ['cara-3'],
  createdByOrganizationId: null,
}));
const VOICES = [
  ['v1', 'Clara', 'female'],
  ['v2', 'Russell', 'male'],
].map(([id, displayName, gender]) => ({
  id,
  displayName,
  gender,
  description: 'Calm American English. Offline.',
  provider: 'LOCAL',
  languages: ['en'],
  sampleUrl: null,
  createdByOrganizationId: null,
}));
const LLMS = [
  {
    id: 'l1',
    displayName: 'Offline LLM',
    description: 'Simple rules, no account needed.',
    displayTags: [],
    isDefault: true,
  },
];
const PERSONAS = [
  ['p1', 'Mira', 'Your host: shows what Parley can do.', 0, true],
  ['p2', 'Museum guide', 'Knows the opening hours and every floor of the Brightwater Museum.', 1, false],
  ['p3', 'Interview coach', 'Asks the questions you would rather not hear, kindly.', 2, false],
].map(([id, name, description, avatar, isDefaultPersona]) => ({
  id: id as string,
  name,
  description,
  avatar: AVATARS[avatar as number],
  voice: VOICES[0],
  isDefaultPersona,
  personaPreset: '',
  avatarModel: null,
  voiceSpeed: 1,
  llmId: 'l1',
  languageCode: 'inherit',
  systemPrompt: `You are ${String(name)}.`,
  brain: { systemPrompt: `You are ${String(name)}.`, personality: null },
  initialMessage: null,
  skipGreeting: false,
  uninterruptibleGreeting: false,
  enableSessionReplay: true,
  enableAudioPassthrough: false,
  zeroDataRetention: false,
  maxSessionLengthSeconds: null,
  voiceDetectionOptions: null,
  voiceGenerationOptions: null,
  directorNotes: null,
  variables: [],
  grading: null,
  toolIds: [],
  mcpServerIds: [],
  widgetConfig: {},
}));
const TRANSCRIPT = {
  messages: [
    { role: 'persona', message: 'Hello! How can I help you today?', timestamp: null, wasInterrupted: false },
    { role: 'user', message: 'When do you open tomorrow?', timestamp: null },
    { role: 'persona', message: 'We open at nine in the morning and', timestamp: null, wasInterrupted: true },
  ],
};
