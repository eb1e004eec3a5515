import { networkObstacle } from './test-network.ts';
import { openUplink, UPLINK } from './uplink.ts';

/** Runs once for all files: one uplink for the networks of a run. @returns a function that removes it. */
export default async function setup(): Promise<() => void> {
  if (process.env[UPLINK] !== undefined || networkObstacle() !== null) return () => {};
  const { uplink, close } = await openUplink();
  process.env[UPLINK] = JSON.stringify(uplink);
  return close;
}
