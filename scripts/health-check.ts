/** Exit status 0 if the service with this environment answers: the check of the container image. */
import { localAddress } from '../service/process/local-address.ts';

const url = `${localAddress(process.env)}/healthz`;
try {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`it answers with ${status}`);
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`${url}: ${cause instanceof Error ? cause.message : message}`);
  process.exitCode = 1;
}
