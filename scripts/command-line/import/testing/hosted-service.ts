import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

/** Of an account at the hosted service, with a bit of everything. */
const GROUP = '10000000-0000-4000-8000-000000000001';
const TOOLS = ['20000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002'] as const;
const LLM = '30000000-0000-4000-8000-000000000001';
const [OWN_AVATAR, STOCK_AVATAR] = ['40000000-0000-4000-8000-000000000001', '40000000-0000-4000-8000-000000000002'];
const [CLONED, STOCK_VOICE] = ['50000000-0000-4000-8000-000000000001', '50000000-0000-4000-8000-000000000002'];
const [FRONT, NIGHT] = ['60000000-0000-4000-8000-000000000001', '60000000-0000-4000-8000-000000000002'];
const AT = '2026-11-21T00:55:09.774Z';

/** A server on this machine that answers as the hosted service's `/v1` is documented to. */
export async function startHostedService(key: string) {
  let base = '';
  let wasBusy = false;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    if (pathname === '/files/menu.txt') return void response.end('Breakfast is from 7 to 10.');
    if (pathname === '/files/mira.png')
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(picture());
    if (pathname.startsWith('/files/')) return void response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${key}`)
      return json(response, 401, { error: 'Invalid API key', message: 'The API key is not valid.' });
    // A limit of requests that is soon over.
    if (!wasBusy && pathname === '/v1/tools') {
      wasBusy = true;
      response.setHeader('retry-after', '0');
      return json(response, 429, { error: 'Too many requests', message: 'Slow down.' });
    }
    const answer = answersOf(base)[pathname];
    if (answer === undefined) return json(response, 404, { error: 'Not found', message: 'There is no such thing.' });
    json(response, 200, typeof answer === 'function' ? answer(Number(searchParams.get('page') ?? 1)) : answer);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

type Answer = object | ((page: number) => object);

function answersOf(base: string): Readonly<Record<string, Answer>> {
  const personas = personasOf();
  const dates = { createdAt: AT, updatedAt: null };
  return {
    '/v1/personas': (page) => paged([personas.map(summaryOf)[page - 1]!], page, personas.length),
    ...Object.fromEntries(personas.map((persona) => [`/v1/personas/${persona.id}`, persona])),
    '/v1/tools': {
      data: toolsOf().map((tool) => ({ ...tool, ...dates, usageCount: 1 })),
      meta: { total: 2, page: 1, perPage: 100, totalPages: 1 },
    },
    '/v1/knowledge/groups': [{ id: GROUP, name: 'House', description: null, documentCount: 1, ...dates }],
    [`/v1/knowledge/groups/${GROUP}/documents`]: [
      { id: 'd1', knowledgeFolderId: GROUP, filename: 'menu.txt', fileType: 'text/plain', status: 'READY', ...dates },
      { id: 'd2', knowledgeFolderId: GROUP, filename: 'gone.txt', fileType: 'text/plain', status: 'READY', ...dates },
    ],
    '/v1/knowledge/documents/d1/download': { downloadUrl: `${base}/files/menu.txt`, filename: 'menu.txt' },
    '/v1/knowledge/documents/d2/download': { downloadUrl: `${base}/files/gone.txt`, filename: 'gone.txt' },
    '/v1/llms': (page) => paged([llm()], page, 1),
    '/v1/voices': (page) =>
      paged(
        [
          { id: CLONED, displayName: 'Our Anna', createdByOrganizationId: 'org' },
          { id: STOCK_VOICE, displayName: 'Voice of there', createdByOrganizationId: null },
        ],
        page,
        1,
      ),
    '/v1/avatars': (page) =>
      paged(
        [
          { id: OWN_AVATAR, displayName: 'Mira', imageUrl: `${base}/files/mira.png`, createdByOrganizationId: 'org' },
          { id: STOCK_AVATAR, displayName: 'Nobody here', imageUrl: null, createdByOrganizationId: null },
        ],
        page,
        1,
      ),
    '/v1/share-links': (page) => paged([], page, 1, 3),
    '/v1/sessions': (page) => paged([], page, 1, 40),
  };
}

const paged = (data: readonly unknown[], page: number, lastPage: number, total = lastPage) => ({
  data,
  meta: { total, lastPage, currentPage: page, perPage: 1, prev: null, next: page < lastPage ? page + 1 : null },
});

function toolsOf() {
  return [
    {
      id: TOOLS[0],
      name: 'search_house',
      description: 'Looks up what is known of the house.',
      type: 'SERVER_RAG',
      config: { documentFolderIds: [GROUP] },
      disableInterruptions: false,
    },
    {
      id: TOOLS[1],
      name: 'book_room',
      description: 'Books a room.',
      type: 'SERVER_WEBHOOK',
      config: { url: 'https://book.example.com/', method: 'POST', headers: { 'x-key': '[REDACTED]' } },
      disableInterruptions: true,
    },
  ];
}

const llm = () => ({
  id: LLM,
  displayName: 'House model',
  description: null,
  llmFormat: 'openai',
  urls: [{ url: 'https://llm.example.com/v1' }],
  modelName: 'house-8b',
  temperature: 0.4,
  maxTokens: null,
  isDefault: false,
  isGlobal: false,
  createdAt: AT,
});

function personasOf() {
  const common = {
    description: null,
    personaPreset: '',
    avatarModel: null,
    voiceSpeed: 1,
    shareLinks: [],
    enableAudioPassthrough: false,
    zeroDataRetention: false,
    voiceDetectionOptions: null,
    isDefaultPersona: false,
    createdAt: AT,
    updatedAt: AT,
  };
  return [
    {
      ...common,
      id: FRONT,
      name: 'Front desk',
      avatar: { id: OWN_AVATAR, displayName: 'Mira' },
      voice: { id: CLONED, displayName: 'Our Anna' },
      voiceGenerationOptions: { stability: 0.4 },
      llmId: LLM,
      brain: { personality: null, systemPrompt: 'You are the front desk.' },
      tools: toolsOf(),
      skipGreeting: true,
      initialMessage: 'Welcome!',
      voiceDetectionOptions: { endOfSpeechSensitivity: 0.7 },
      widgetConfig: { callToAction: 'Ask us', allowedOrigins: ['https://hotel.example.com'] },
      languageCode: 'de',
    },
    {
      ...common,
      id: NIGHT,
      name: 'Night porter',
      avatar: { id: STOCK_AVATAR, displayName: 'Nobody here' },
      voice: { id: STOCK_VOICE, displayName: 'Voice of there' },
      voiceGenerationOptions: null,
      llmId: 'SERVICE_OF_THERE',
      brain: { personality: 'Calm.', systemPrompt: 'You are the night porter.' },
      tools: [],
      skipGreeting: false,
      initialMessage: null,
      widgetConfig: {},
      languageCode: 'inherit',
    },
    { ...common, id: 'default', name: 'Demo', isDefaultPersona: true },
  ];
}

const summaryOf = ({ id, name, isDefaultPersona }: ReturnType<typeof personasOf>[number]) => ({
  id,
  name,
  description: '',
  isDefaultPersona,
});

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A gray PNG of 64 by 64 pixels. */
function picture(): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 128)]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(64, 0);
  head.writeUInt32BE(64, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const data = deflateSync(Buffer.concat(Array.from({ length: 64 }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
