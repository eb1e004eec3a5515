// Not through the engine's index, which loads the media libraries.
// eslint-disable-next-line no-restricted-imports
import {
  assertPublicUrl,
  createGuardedDispatcher,
  createGuardedFetch,
  download,
  portOf,
  postEvent,
  privateHosts,
  PublicUrlError,
} from '../../engine/net/index.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { FakeMeetings } from './fake-meetings.ts';
import { IMAGE } from './stock.ts';
import { type AvatarMaker, AvatarQueueFullError, type ControlPorts, UnsuitableImageError } from '../ports.ts';

const llm: LanguageModel = {
  name: 'fake',
  async *stream() {
    yield { type: 'done', finishReason: 'stop' };
  },
};

/** The real guard against private URLs; everything else does the minimum that the contract allows. */
export function fakePorts(allowedPrivateHosts: readonly string[]): ControlPorts {
  const allowed = privateHosts(allowedPrivateHosts);
  const { fetch } = createGuardedFetch(allowed);
  const dispatcher = createGuardedDispatcher(allowed);
  return {
    publicUrls: {
      isException: (url) => allowed.allows(url.hostname, portOf(url)),
      download: (url, limits) => download(fetch, url, limits),
      async problemWith(url) {
        try {
          // Names are not resolved in tests: there is no network.
          await assertPublicUrl(url, { allowed, resolve: async () => [] });
          return null;
        } catch (error) {
          if (error instanceof PublicUrlError) return error.message;
          throw error;
        }
      },
    },
    llms: { stock: () => llm, custom: () => llm, check: async () => ({ message: 'Could not connect.', notes: [] }) },
    mcp: { list: async () => ({ ok: false, message: 'The MCP server could not be reached.' }) },
    tools: { run: async () => ({ ok: true, output: 'done', documentsAccessed: [] }) },
    faces: { status: () => ({ drawing: false, drawn: 7, total: 7 }) },
    avatarMaker: fakeAvatarMaker(),
    previewRenderer: null,
    meetings: null,
    meetingsUnavailable: {
      why: 'Chromium is not installed.',
      recognizes: (link) => new FakeMeetings().recognize(link) !== null,
    },
    videos: null,
    voiceSpeaker: null,
    spokenTests: null,
    voiceCloners: [],
    embedder: null,
    latencies: { rows: () => [], listen() {} },
    localModels: null,
    postEvent: (event) => postEvent({ dispatcher, allowed }, event, 'Parley/test'),
  };
}

/** Takes any image, except one without a face, whose last byte is 0xff, and one too many, whose last byte is 0xfe. */
function fakeAvatarMaker(): AvatarMaker {
  return {
    async make({ avatarId, image }) {
      if (image.bytes.at(-1) === 0xff) throw new UnsuitableImageError('No face was found in the image.');
      if (image.bytes.at(-1) === 0xfe) throw new AvatarQueueFullError();
      const shown = { bytes: IMAGE, contentType: 'image/png' };
      return { engineKey: `made-${avatarId}`, landscape: image, portrait: null, shown };
    },
    async remove() {},
  };
}
