import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine: `CHROME_PATH`, else where distributions put it; undefined when there is none. */
export const browserPath = (env: NodeJS.ProcessEnv): string | undefined =>
  env['CHROME_PATH'] ?? usual.find((path) => existsSync(path));

/** A browser that calls no server by itself. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
