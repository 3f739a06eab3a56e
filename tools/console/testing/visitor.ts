import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';

/** How a visitor wants to see the console. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'de';
}

/** How the page is seen. */
type Sight = Pick<Look, 'theme'> & { readonly width: number };

/** The browser's state of a signed-in operator: cookies and what pages keep. */
export type Identity = Awaited<ReturnType<BrowserContext['storageState']>>;

export const PLAIN: Look = { theme: 'light', language: 'en' };
export const THEMES = ['light', 'dark'] as const;
/** Widths of screens, in CSS pixels: of a telephone, a tablet and a desk. */
export const WIDTHS = { narrow: 390, middle: 820, wide: 1280 } as const;
const HEIGHT = 900;
/** When colours have changed as far as they will. */
const AFTER_TRANSITIONS = `new Promise(requestAnimationFrame).then(() => Promise.all(document.getAnimations()
  .filter((one) => one instanceof CSSTransition).map(({ finished }) => finished.catch(() => undefined))))
  .then(() => undefined)`;
/** A machine of continuous integration may be ten times slower. */
const PATIENCE_MS = 60_000;

/** A page of the console's own site on which nothing runs. */
const REST = '/console/settings.json';
/** The console shows there that it has no such page, and reads nothing. */
const NOWHERE = '/console/nowhere';
const IS_CONSOLE = "document.querySelector('#root > *') !== null";
/** Of the page that is left. */
const LEFT = 'data-left';
/** A page that waits for nothing, and is not the one that is left. */
const SETTLED = `main:not([${LEFT}], [aria-busy="true"], :has([aria-busy="true"])) h1`;
/** What browsers ask for at a page that is no HTML. */
const ICON = '/favicon.ico';

/** Somebody before the console: a page of a browser of his own, which remembers everything that went wrong. */
export class Visitor {
  static async enter(
    browser: Browser,
    baseUrl: string,
    { identity, look = PLAIN }: { readonly identity?: Identity; readonly look?: Look } = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: baseUrl,
      colorScheme: look.theme,
      locale: look.language,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      viewport: { width: WIDTHS.wide, height: HEIGHT },
      ...(identity && { storageState: identity }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Visitor(baseUrl, { theme: look.theme, width: WIDTHS.wide }, context, await context.newPage());
  }

  /** Who takes the page over from a visitor who leaves it in order. */
  private heir: ((visitor: Visitor) => unknown) | undefined;

  private readonly heard: string[] = [];
  private sight: Sight;

  private constructor(
    readonly baseUrl: string,
    private readonly begunWith: Sight,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.sight = begunWith;
    const own = new URL(baseUrl).origin;
    page.on('console', (message) => {
      if (isComplaint(message) && message.location().url !== `${own}${ICON}`)
        this.heard.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.heard.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!isOf(own, request)) this.heard.push(`asked another host: ${request.url()}`);
    });
  }

  /** What the browser complained of: errors of scripts, violations of the policy, calls of other hosts. */
  get complaints(): readonly string[] {
    return this.heard;
  }

  /** Forgets the complaints of what was expected. */
  forget(): void {
    this.heard.length = 0;
  }

  /** Opens a page of the console and waits until it shows its data. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.settled();
  }

  /**
   * Goes to a page of the console as by a link, which costs a fifth of loading the console, and waits until it shows its
   * data. What was read less than 10 s ago is not read again. Opens the page where the console is not shown.
   */
  async go(path: string): Promise<void> {
    if (!(await this.page.evaluate<boolean>(IS_CONSOLE))) return this.open(path);
    // The console would keep what it shows of the page.
    if (shapeOf(this.page.url()) === shapeOf(new URL(path, this.baseUrl).href)) await this.follow(NOWHERE);
    await this.follow(path);
  }

  /** Waits until the page has its heading, and neither it nor a part of it is busy any more. */
  async settled(): Promise<void> {
    await this.page.locator(SETTLED).first().waitFor();
  }

  /** Shows the page that is open in another theme, as the system asks for, and at another width. */
  async look({ theme, width }: Sight): Promise<void> {
    if (theme === this.sight.theme && width === this.sight.width) return;
    await this.see({ theme, width });
    await this.page.locator(theme === 'dark' ? 'html.pf-v6-theme-dark' : 'html:not(.pf-v6-theme-dark)').waitFor();
    await this.page.evaluate(AFTER_TRANSITIONS);
  }

  /** From now on the page outlives those who leave it. */
  keepFor(heir: (visitor: Visitor) => unknown): void {
    this.heir = heir;
  }

  /** Closes the page or, where it is kept, brings it back to its beginning, but for the cookies. */
  async leave(): Promise<void> {
    if (!this.heir) return this.end();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.goto(REST);
    await this.page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await this.page.emulateMedia({ media: null });
    await this.rest();
  }

  /** Leaves a kept page as the console made it: who takes it over goes on in it, without loading the console again. */
  async pause(): Promise<void> {
    if (!this.heir) return this.end();
    if (await this.page.evaluate<boolean>(IS_CONSOLE)) await this.follow(NOWHERE);
    await this.rest();
  }

  async end(): Promise<void> {
    await this.context.close();
  }

  private async rest(): Promise<void> {
    await this.see(this.begunWith);
    this.forget();
    await this.heir?.(this);
  }

  private async see({ theme, width }: Sight): Promise<void> {
    if (width !== this.sight.width) await this.page.setViewportSize({ width, height: HEIGHT });
    if (theme !== this.sight.theme) await this.page.emulateMedia({ colorScheme: theme });
    this.sight = { theme, width };
  }

  /** As a link from a page of another kind. */
  private async follow(path: string): Promise<void> {
    if (this.page.url() === new URL(path, this.baseUrl).href) return;
    await this.page.evaluate(`document.querySelector('main').toggleAttribute('${LEFT}', true);
      history.pushState(null, '', ${JSON.stringify(path)});
      dispatchEvent(new PopStateEvent('popstate'))`);
    await this.settled();
  }
}

/** Pages of one kind have addresses of one shape. */
const shapeOf = (address: string): string => {
  const [, , first, ...others] = new URL(address).pathname.split('/');
  return [first, others.length].join(' ');
};

const isComplaint = (message: ConsoleMessage): boolean => ['error', 'warning'].includes(message.type());

const isOf = (origin: string, request: Request): boolean =>
  /^(data|blob|about):/.test(request.url()) || new URL(request.url()).origin === origin;
