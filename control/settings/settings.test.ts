import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { problemsOf } from '../testing/problems-of.ts';

describe('settings', () => {
  it('has a default for everything that is needed to start', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      PORT: 8080,
      PARLEY_HOST: '127.0.0.1',
      PARLEY_UDP_PORT: 8081,
      PARLEY_DATA_DIR: './data',
    });
    expect(settings.PARLEY_ALLOWED_PRIVATE_HOSTS).toEqual([]);
  });

  it('takes empty values for unset and leaves the variables of others alone', () => {
    expect(readSettings({ PORT: '', HOME: '/root', PARLEY_API_KEY: '' }).PORT).toBe(8080);
  });

  /** `docker run --env-file` keeps quotation marks: a key was sent with them, and the LLM answered 401. */
  it('takes a value without the blanks and quotation marks around it, but the master key as it is', () => {
    const settings = readSettings({
      PORT: ' 9000\n',
      PARLEY_HOST: "'::1'",
      PARLEY_LLM_API_KEY: '"sk-1"\n',
      PARLEY_PUBLIC_URL: '" https://talk.example.com "',
      PARLEY_LOG_LEVEL: '""',
      PARLEY_MASTER_KEY: '"0123456789abcdef"\n',
    });
    expect(settings).toMatchObject({
      PORT: 9000,
      PARLEY_HOST: '::1',
      PARLEY_LLM_API_KEY: 'sk-1',
      PARLEY_PUBLIC_URL: 'https://talk.example.com',
      PARLEY_LOG_LEVEL: 'info',
      PARLEY_MASTER_KEY: '"0123456789abcdef"\n',
    });
  });

  it('names an unknown setting and the one that was probably meant', () => {
    expect(problemsOf({ PARLEY_UDP_PROT: '9' })).toEqual([
      'PARLEY_UDP_PROT is not a setting (did you mean PARLEY_UDP_PORT?)',
    ]);
    // By the longest common beginning, it was PARLEY_LLM_PROVIDER.
    expect(problemsOf({ PARLEY_LLM_URL: 'x' })).toEqual([
      'PARLEY_LLM_URL is not a setting (did you mean PARLEY_LLM_BASE_URL?)',
    ]);
    expect(problemsOf({ PARLEY_QQQ: 'x' })).toEqual(['PARLEY_QQQ is not a setting']);
  });

  it('names every bad value at once, without repeating it', () => {
    const problems = problemsOf({ PORT: '70000', PARLEY_TRUST_PROXY: 'perhaps', PARLEY_PUBLIC_URL: 'ftp://secret' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'PARLEY_PUBLIC_URL',
      'PARLEY_TRUST_PROXY',
    ]);
    expect(problems.join()).not.toContain('secret');
  });

  it('reads lists, flags and URLs', () => {
    const settings = readSettings({
      PARLEY_ALLOWED_PRIVATE_HOSTS: 'localhost:9000, 10.0.0.8 ,',
      PARLEY_EVENT_LOG: 'off',
      PARLEY_PUBLIC_URL: 'https://talk.example.com/',
    });
    expect(settings).toMatchObject({
      PARLEY_ALLOWED_PRIVATE_HOSTS: ['localhost:9000', '10.0.0.8'],
      PARLEY_EVENT_LOG: false,
      PARLEY_PUBLIC_URL: 'https://talk.example.com',
    });
  });

  it.each([
    [' HTTPS://Talk.Example.com:443/ ', 'https://talk.example.com'],
    ['https://example.com/apps//', 'https://example.com/apps'],
    ['https://example.com/a/../päth/', 'https://example.com/p%C3%A4th'],
    ['http://[2001:DB8::1]:8443/parley/', 'http://[2001:db8::1]:8443/parley'],
  ])('writes the address of the service as browsers do: %s', (value, expected) =>
    expect(readSettings({ PARLEY_PUBLIC_URL: value }).PARLEY_PUBLIC_URL).toBe(expected),
  );

  // Each of them was taken, and then worked nowhere.
  it.each([
    ['https://talk.example.com,https://parley.example.com', 'one address'],
    ['https://talk.example.com/?tenant=7', 'without a user, a query'],
    ['https://talk.example.com/#talk', 'a fragment'],
    ['https://ann:secret@talk.example.com', 'without a user'],
    ['https://example.com/v1', 'another path'],
    ['https://example.com/docs/parley', 'another path'],
  ])('refuses an address of the service that no client can use: %s', (value, why) => {
    const [problem] = problemsOf({ PARLEY_PUBLIC_URL: value });
    expect(problem).toMatch(/^PARLEY_PUBLIC_URL: /);
    expect(problem).toContain(why);
    expect(problem).not.toContain('secret');
  });

  it.each([
    ['off', false],
    ['true', { hops: 1 }],
    ['2', { hops: 2 }],
    ['loopback, 10.0.0.0/8, 2001:db8::7', { networks: ['loopback', '10.0.0.0/8', '2001:db8::7'] }],
  ])('reads which proxies are trusted: %s', (value, expected) => {
    expect(readSettings({ PARLEY_TRUST_PROXY: value }).PARLEY_TRUST_PROXY).toEqual(expected);
  });

  it('reads which meeting servers are the operator’s', () => {
    const read = (value: string) => readSettings({ PARLEY_MEETING_SERVERS: value }).PARLEY_MEETING_SERVERS;
    expect(read('')).toEqual([]);
    expect(read('jitsi=https://Meet.example.org/, janus=http://10.0.0.5:8000')).toEqual([
      { provider: 'jitsi', origin: 'https://meet.example.org' },
      { provider: 'janus', origin: 'http://10.0.0.5:8000' },
    ]);
  });

  it.each([
    'meet.example.org',
    'zoom=https://zoom.example.org',
    'jitsi=ftp://x',
    'jitsi=https://u:p@x',
    'jitsi=https://x/y',
  ])('takes no meeting server that it does not understand: %s', (value) =>
    expect(problemsOf({ PARLEY_MEETING_SERVERS: value })).toHaveLength(1),
  );

  it.each(['everything', '99', '10.0.0.0/99', ','])('trusts no proxy that it does not understand: %s', (value) => {
    expect(problemsOf({ PARLEY_TRUST_PROXY: value })).toEqual([
      expect.stringMatching(/^PARLEY_TRUST_PROXY: must be true, false, a number/),
    ]);
  });

  /** These said "Invalid input", or showed a pattern. */
  it.each([
    ['PARLEY_PUBLIC_IP', 'example.com', 'must be an IPv4 or IPv6 address; a name is not enough'],
    ['PARLEY_MAX_SESSIONS', '1e9', 'must be auto, or a whole number from 1 to 100000'],
    ['PARLEY_MAX_SESSIONS', '0', 'must be a whole number from 1 to 100000'],
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PARLEY_API_KEY', 'a', 'must have 16 to 512 characters, none of them a space'],
    ['PARLEY_ENGINE_ID', 'a b', 'must be 1 to 64 letters, digits, dashes and underscores'],
    ['DATABASE_URL', 'mysql://x', 'must begin with postgres:// or postgresql://'],
  ])('says in a sentence what %s must be, when it is %s', (name, value, sentence) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name}: ${sentence}`]);
  });

  it('knows the regions of the contract, and others that it is told', () => {
    expect(readSettings({}).PARLEY_REGIONS).toEqual(['eu', 'us']);
    expect(readSettings({ PARLEY_REGIONS: 'eu, us-west' }).PARLEY_REGIONS).toEqual(['eu', 'us-west']);
    expect(problemsOf({ PARLEY_REGIONS: 'Mars!' })).toEqual([
      expect.stringContaining('PARLEY_REGIONS: must be lower-case'),
    ]);
  });

  it('wants a model name beside an LLM endpoint', () => {
    expect(problemsOf({ PARLEY_LLM_BASE_URL: 'https://llm.example.com/v1' })).toEqual([
      'PARLEY_LLM_MODEL: is needed for openai',
    ]);
  });
});
