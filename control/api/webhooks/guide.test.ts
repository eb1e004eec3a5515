import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';

const guide = readFileSync(fileURLToPath(new URL('../../../docs/guides/webhooks.md', import.meta.url)), 'utf8');
const code = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)![1]!;

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = '{"type":"session.ended","data":{}}';
function headersOf(signedWith: string) {
  const time = new Date();
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(signedWith).sign('evt_1', time, body)}`,
  };
}
const genuine = headersOf(secret);
const forged = headersOf(`whsec_${Buffer.alloc(32, 8).toString('base64')}`);

it('the code of the guide verifies events in Node', async () => {
  const program = code('js').replace("'standardwebhooks'", JSON.stringify(import.meta.resolve('standardwebhooks')));
  const module = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
    readEvent(secret: string, headers: object, body: string): unknown;
  };
  expect(module.readEvent(secret, genuine, body)).toEqual(JSON.parse(body));
  expect(() => module.readEvent(secret, forged, body)).toThrow();
});

it('the code of the guide verifies events in Python', () => {
  const program = `${code('python')}
for headers in ${JSON.stringify([genuine, forged])}:
    try:
        print(read_event(${JSON.stringify(secret)}, headers, ${JSON.stringify(body)}.encode())["type"])
    except ValueError as error:
        print(error)
`;
  expect(execFileSync('python3', ['-c', program], { encoding: 'utf8' })).toBe('session.ended\nwrong signature\n');
});
