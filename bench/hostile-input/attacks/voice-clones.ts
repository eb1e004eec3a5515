import { createServer } from 'node:http';
import { engineNow } from '../../../runtime/clock.ts';
import type { Attack } from '../attack.ts';
import { counted } from '../counted.ts';

const FLOOD_MS = 10_000;
const AT_ONCE = 16;
/** Of what stands for ElevenLabs, which refuses what it gets. The service must know it from its start. */
const PORT = 48_123;

/** As much as a form may bring. */
const LARGE = 4_500_000;
const RECORDINGS: Readonly<Record<string, Buffer>> = {
  'ten-hours.wav': Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1'), Buffer.alloc(LARGE)]),
  'atoms.m4a': Buffer.alloc(LARGE, Buffer.from('\xff\xff\xff\xffftyp', 'latin1')),
  'pages.ogg': Buffer.alloc(LARGE, Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\0`, 'latin1')),
  'tags.mp3': Buffer.alloc(LARGE, Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1')),
  'archive.wav': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(LARGE)]),
};

export const voiceClones: readonly Attack[] = [
  {
    name: 'voice-clones',
    what: 'recordings of 4.5 MB to copy voices from, broken in five ways, 16 at once',
    environment: {
      PARLEY_TTS_ELEVENLABS_BASE_URL: `http://127.0.0.1:${PORT}`,
      PARLEY_TTS_ELEVENLABS_API_KEY: 'none',
    },
    prepare: async () => {
      let received = 0;
      const server = createServer((request, response) => {
        request.on('data', (chunk: Buffer) => (received += chunk.length));
        request.on('end', () => response.writeHead(400).end('{"detail":{"status":"invalid_audio"}}'));
      }).listen(PORT, '127.0.0.1');
      return async ({ url, apiKey }) => {
        const statuses: number[] = [];
        const until = engineNow() + FLOOD_MS;
        const files = Object.entries(RECORDINGS);
        const one = async (first: number): Promise<void> => {
          for (let at = first; engineNow() < until; at += 1) {
            const [name, bytes] = files[at % files.length]!;
            const form = new FormData();
            form.set('name', 'Me');
            form.set('audioFile', new Blob([new Uint8Array(bytes)], { type: 'audio/wav' }), name);
            const headers = { authorization: `Bearer ${apiKey}` };
            const answer = await fetch(`${url}/v1/voices`, { method: 'POST', headers, body: form });
            await answer.arrayBuffer();
            statuses.push(answer.status);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => one(first)));
        server.closeAllConnections();
        server.close();
        return `${counted(statuses)}; ${(received / 1e6).toFixed(0)} MB came to the service that copies`;
      };
    },
  },
];
