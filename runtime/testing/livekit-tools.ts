import { existsSync } from 'node:fs';

/** Made by `scripts/install-livekit.sh`, from the project in `e2e/livekit`. */
const FOLDER = new URL('../../.cache/livekit/', import.meta.url).pathname;

export interface LivekitTools {
  /** The server's program. */
  readonly server: string;
  /** Folder of a project with LiveKit Agents, the public plugin, and a client for Node. */
  readonly project: string;
  /** Python with LiveKit Agents and the public plugin. Null: it is not installed. */
  readonly python: string | null;
}

/** @returns null where they are not installed: that needs Go, and five minutes of two cores. */
export function livekitTools(): LivekitTools | null {
  const server = `${FOLDER}bin/server`;
  if (!existsSync(server) || !existsSync(`${FOLDER}node_modules/@livekit/agents-plugin-anam`)) return null;
  const python = `${FOLDER}python/bin/python`;
  return { server, project: FOLDER, python: existsSync(python) ? python : null };
}
