import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Persona, usePersona, useTranscript } from './index.ts';

function Line() {
  const { phase, connection } = usePersona();
  return (
    <p>
      {phase}, {connection}, {useTranscript().length} messages
    </p>
  );
}

it('renders on a server, where there is no browser', () => {
  expect(typeof document).toBe('undefined');
  const html = renderToString(
    <StrictMode>
      <Persona sessionToken={() => fail('a token')} autoStart className="face" tools={{}}>
        <Line />
      </Persona>
    </StrictMode>,
  );
  expect(html).toContain('<video playsInline="" class="face"></video>');
  expect(html.replaceAll('<!-- -->', '')).toContain('<p>idle, closed, 0 messages</p>');
});

it('says where its hooks belong', () => {
  expect(() => renderToString(<Line />)).toThrow('inside of <Persona>');
});

function fail(what: string): never {
  throw new Error(`A server needs no ${what}.`);
}
