import { z } from 'zod';
import { integer, secret } from '../../models/option-values.ts';
import { list } from './values.ts';

/**
 * What browsers take as the address of a STUN or TURN server (RFC 7064, RFC 7065). They refuse the whole connection
 * when one of them is wrong.
 */
const ICE_SERVER =
  /^(?:stuns?:(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?|turns?:(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?)$/;

/** How audio and video reach clients in networks that block UDP or hide addresses. */
export function mediaNetworkSettings() {
  return {
    PARLEY_ICE_TCP_PORT: z
      .union([integer(0, 65_535), z.literal('off')], 'must be a port number or off')
      .optional()
      .describe(
        'TCP port for the media of clients whose networks block UDP. 0 uses a free port, `off` none. Unset: the number of `PARLEY_UDP_PORT`, if no other program has it.',
      ),
    PARLEY_ICE_SERVERS: list(
      z
        .string()
        .regex(ICE_SERVER, 'must be URLs such as stun:host:3478, turn:host:3478 or turns:host:5349?transport=tcp'),
    ).describe(
      'STUN and TURN URLs for clients, separated by commas. `turn:host` means UDP, so add `turn:host?transport=tcp` for networks that block it. TURN needs a secret, or a user name with a password.',
    ),
    PARLEY_TURN_SECRET: secret()
      .optional()
      .describe('Shared secret of the TURN server, from which time-limited credentials are made for each session.'),
    PARLEY_TURN_USERNAME: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe(
        'User name on the TURN server, the same for all sessions. Every client can read it: a shared secret is better.',
      ),
    PARLEY_TURN_PASSWORD: secret().optional().describe('The password of that user.'),
    PARLEY_ICE_TRANSPORT_POLICY: z
      .enum(['all', 'relay'])
      .default('all')
      .describe(
        'Which paths clients may use: `all`, or only those through the TURN server (`relay`). Clients can choose `relay` themselves.',
      ),
  };
}

/** @param values texts by the name of the setting. @returns a line for each thing that would not work. */
export function mediaNetworkProblems(values: Readonly<Record<string, string | undefined>>): string[] {
  const has = (name: string): boolean => values[name] !== undefined;
  const hasTurn = (values['PARLEY_ICE_SERVERS'] ?? '').split(',').some((url) => /^turns?:/.test(url.trim()));
  const hasUser = has('PARLEY_TURN_USERNAME');
  const problems: string[] = [];
  if (hasUser !== has('PARLEY_TURN_PASSWORD'))
    problems.push('PARLEY_TURN_USERNAME and PARLEY_TURN_PASSWORD belong together: set both or none');
  else if (hasUser && has('PARLEY_TURN_SECRET'))
    problems.push('PARLEY_TURN_SECRET: set either a secret or a user name with a password');
  else if (hasTurn && !hasUser && !has('PARLEY_TURN_SECRET'))
    problems.push(
      'PARLEY_ICE_SERVERS: a TURN server needs credentials, or browsers refuse to connect at all: set PARLEY_TURN_SECRET, or PARLEY_TURN_USERNAME and PARLEY_TURN_PASSWORD',
    );
  if (values['PARLEY_ICE_TRANSPORT_POLICY'] === 'relay' && !hasTurn)
    problems.push('PARLEY_ICE_TRANSPORT_POLICY: relay needs a TURN server in PARLEY_ICE_SERVERS');
  if (
    has('PARLEY_ICE_TCP_PORT') &&
    values['PARLEY_ICE_TCP_PORT'] !== '0' &&
    values['PARLEY_ICE_TCP_PORT'] === (values['PORT'] ?? '8080')
  )
    problems.push('PARLEY_ICE_TCP_PORT: the HTTP API has this port (PORT); name another one, or off');
  return problems;
}
