import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';

/** How a visitor wants to see the console. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'de';
}

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
    return new Visitor(baseUrl, look, context, await context.newPage());
  }

  /** Who takes the page over from a visitor who leaves it in order. */
  private heir: ((visitor: Visitor) => void) | undefined;

  private readonly heard: string[] = [];

  private constructor(
    readonly baseUrl: string,
    private readonly begunWith: Look,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
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

  /** Waits until the page has its heading, and neither it nor a part of it is busy any more. */
  async settled(): Promise<void> {
    await this.page.locator('main:not([aria-busy="true"], :has([aria-busy="true"])) h1').first().waitFor();
  }

  /** Shows the page that is open in another theme, as the system asks for, and at another width. */
  async look({ theme, width }: Pick<Look, 'theme'> & { readonly width: number }): Promise<void> {
    await this.page.setViewportSize({ width, height: HEIGHT });
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.locator(theme === 'dark' ? 'html.pf-v6-theme-dark' : 'html:not(.pf-v6-theme-dark)').waitFor();
    await this.page.evaluate(AFTER_TRANSITIONS);
  }

  /** From now on the page outlives those who leave it. */
  keepFor(heir: (visitor: Visitor) => void): void {
    this.heir = heir;
  }

  /** Closes the page or, where it is kept, brings it back to its beginning, but for the cookies. */
  async leave(): Promise<void> {
    if (!this.heir) return this.end();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.goto(REST);
    await this.page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await this.page.emulateMedia({ media: null, colorScheme: this.begunWith.theme });
    await this.page.setViewportSize({ width: WIDTHS.wide, height: HEIGHT });
    this.forget();
    this.heir(this);
  }

  async end(): Promise<void> {
    await this.context.close();
  }
}

const isComplaint = (message: ConsoleMessage): boolean => ['error', 'warning'].includes(message.type());

const isOf = (origin: string, request: Request): boolean =>
  /^(data|blob|about):/.test(request.url()) || new URL(request.url()).origin === origin;
