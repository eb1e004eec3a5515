import type { ProviderErrorCode } from '../../models/ports.ts';

const ADVICE: Readonly<Record<ProviderErrorCode, string>> = {
  auth: 'Check the key: whether it is whole and of this service, and whether its account has credit and may use this model.',
  connect:
    'Check the address (--base-url), and whether this machine reaches it: name service, firewall, proxy (HTTPS_PROXY).',
  'bad-request': 'The service does not know something that it was asked for. Check --model, --voice and --language.',
  'rate-limit': 'Too many requests for this account, or its quota is used up. Wait, or choose another plan.',
  timeout: 'The service was reached, but was too slow. Try again, choose a smaller model or a nearer region.',
  server: 'The service has a problem of its own. Try again later, and look at its status page.',
  'bad-response': 'The service answered in another format. Check the address: does it end as the example in the guide?',
  unavailable: 'It could not be started on this machine. See docs/guides/models.md.',
  aborted: 'The service did not answer within a minute. Try again, choose a smaller model or a nearer region.',
};

/** @returns what to do about a failure, a sentence or two. */
export function adviceFor(code: ProviderErrorCode): string {
  return ADVICE[code];
}
