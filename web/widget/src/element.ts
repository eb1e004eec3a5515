import { type Signal, signal } from '@preact/signals';
import { h, render } from 'preact';
import type { Look } from './bootstrap.ts';
import { Conversation } from './conversation.ts';
import { type Attribute, ATTRIBUTES, readOptions } from './options.ts';
import { chooseTexts } from './texts/choose.ts';
import { Widget } from './view/widget.tsx';
import styles from './styles/index.css?inline';

/** Where the script came from: the address of the service, unless the element names another. It may have a path. */
export const HOME = document.currentScript instanceof HTMLScriptElement ? folderOf(document.currentScript.src) : '';

/** `<parley-persona>`: a conversation with a persona, in a shadow root of its own. */
export class ParleyPersona extends HTMLElement {
  static readonly observedAttributes: readonly Attribute[] = ATTRIBUTES;
  readonly #root = this.attachShadow({ mode: 'open' });
  /** Read anew when it is shown or an attribute changes. */
  readonly #preview: Signal<Look | null> = signal(null);
  #conversation: Conversation | null = null;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    this.#root.adoptedStyleSheets = [sheet];
  }

  /** Shows this instead of what the service says; nobody can be called. For editors of the widget's configuration. */
  get preview(): Look | null {
    return this.#preview.value;
  }
  set preview(look: Look | null) {
    this.#preview.value = look;
    if (look !== null) this.#conversation?.show(look);
  }

  connectedCallback(): void {
    this.#open();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    this.#close();
    this.#open();
  }

  #open(): void {
    const options = readOptions((name) => this.getAttribute(name), HOME);
    // The page of a share link has no language of its own.
    const page = options.layout === 'page' ? null : this.closest('[lang]')?.getAttribute('lang');
    const { language, texts } = chooseTexts([options.language, page, ...navigator.languages]);
    const conversation = new Conversation(options, (name, detail) =>
      this.dispatchEvent(new CustomEvent(`parley:${name}`, { detail, bubbles: true, composed: true })),
    );
    this.#conversation = conversation;
    this.setAttribute('data-layout', options.layout ?? 'floating');
    if (this.#preview.value !== null) conversation.show(this.#preview.value);
    else void conversation.load();
    const isPreview = this.#preview.value !== null;
    render(h(Widget, { conversation, options, language, texts, host: this, isPreview }), this.#root);
  }

  #close(): void {
    this.#conversation?.hangUp();
    this.#conversation = null;
    render(null, this.#root);
  }
}

function folderOf(url: string): string {
  return URL.parse('.', url)?.href ?? '';
}
