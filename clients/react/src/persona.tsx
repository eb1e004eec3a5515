import { createClient, type ClientOptions, type SessionEnd } from '@parley/client';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type VideoHTMLAttributes,
} from 'react';
import { PersonaContext, type PersonaHandle } from './persona-context.ts';
import { IDLE } from './persona-state.ts';
import { PersonaStore } from './persona-store.ts';
import type { PersonaTools } from './tools.ts';

export interface PersonaProps extends Omit<VideoHTMLAttributes<HTMLVideoElement>, 'onError' | 'children' | 'src'> {
  /** From your server, or a function that gets one when it is needed. Used at the next start. */
  readonly sessionToken: string | (() => string | Promise<string>);
  /** Of the client. Used at the next start. */
  readonly options?: ClientOptions;
  /** Client tools by name. They may change at any time. */
  readonly tools?: PersonaTools;
  /** Begins as soon as it is on the page. After a reload, `options.resume` does so in any case. @defaultValue false */
  readonly autoStart?: boolean;
  readonly onEnd?: (end: SessionEnd) => void;
  /** Shown after the video; they can call `usePersona` and `useTranscript`. */
  readonly children?: ReactNode;
}

const NO_OPTIONS: ClientOptions = {};
const NO_TOOLS: PersonaTools = {};

/** A conversation with a persona: a `<video>`, and a context for the components inside. It ends when it leaves the page. */
export function Persona(props: PersonaProps) {
  const { sessionToken, options = NO_OPTIONS, tools = NO_TOOLS, autoStart = false, onEnd, children, ...video } = props;
  const [store] = useState(() => new PersonaStore());
  const element = useRef<HTMLVideoElement>(null);
  const state = useSyncExternalStore(store.subscribe, store.getState, () => IDLE);
  const latest = useRef({ sessionToken, options, tools, onEnd });
  useEffect(() => {
    latest.current = { sessionToken, options, tools, onEnd };
  });

  const start = useCallback(async () => {
    if (element.current === null) return;
    const { sessionToken, options } = latest.current;
    await store.start({ sessionToken, options, tools: () => latest.current.tools, video: element.current });
  }, [store]);

  useEffect(() => {
    const starts = autoStart || createClient(() => '', latest.current.options).canResume();
    // In strict mode, React mounts twice in a row: a session that was started for the first time would be lost.
    const timer = starts ? setTimeout(() => void start()) : undefined;
    return () => {
      clearTimeout(timer);
      store.stop();
    };
  }, [store, start, autoStart]);

  const { end } = state;
  useEffect(() => {
    if (end !== null) latest.current.onEnd?.(end);
  }, [end]);

  const handle = useMemo<PersonaHandle>(
    () => ({
      ...state,
      start,
      stop: () => store.stop(),
      mute: (muted) => store.mute(muted),
      client: store.client,
    }),
    [state, start, store],
  );
  return (
    <PersonaContext.Provider value={handle}>
      <video playsInline {...video} ref={element} />
      {children}
    </PersonaContext.Provider>
  );
}
