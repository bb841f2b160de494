// A person with a browser: opens the address of an authorization in headless Chromium, fills in the form of the login,
// clicks on the consent, and waits for the final page. Writes one line of JSON to standard output: the texts of the
// pages that were shown, and what the final page has loaded.
//
// The argument is the address. Environment: LOGIN_USERNAME, LOGIN_PASSWORD, CHROMIUM (the program).
import { startChromium } from './chromium.mjs';

const { page, end } = startChromium('browser-login', 60_000);

// Runs in the page: acts on what it shows. Returns where it is, and whether it has acted.
const STEP = (username, password) => {
  const field = (name) => document.querySelector(`input[name=${name}]`);
  const seen = { url: location.href, title: document.title, text: document.body?.innerText ?? '', acted: false };
  if (document.readyState !== 'complete' || window.hasActed) return seen;
  const accept = document.querySelector('[name=accept]');
  if (field('username')) {
    field('username').value = username;
    field('password').value = password;
    window.hasActed = seen.acted = true;
    field('username').form.requestSubmit();
  } else if (accept) {
    window.hasActed = seen.acted = true;
    accept.click();
  }
  return seen;
};

try {
  const requests = [];
  const send = await page(['Network', 'Page'], (method, params) => {
    if (method === 'Network.requestWillBeSent') requests.push(params.request.url);
  });
  const start = process.argv[2];
  const callback = new URL(start).searchParams.get('redirect_uri');
  const expression = `(${STEP})(${JSON.stringify(process.env.LOGIN_USERNAME)}, ${JSON.stringify(process.env.LOGIN_PASSWORD)})`;
  const pages = [];
  await send('Page.navigate', { url: start });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Between two pages there is no context to evaluate in.
    const seen = (await send('Runtime.evaluate', { expression, returnByValue: true }).catch(() => ({}))).result?.value;
    if (seen?.acted) pages.push(`${seen.title}\n${seen.text}`);
    if (seen?.url.startsWith(callback) && seen.text !== '') {
      const at = requests.findLastIndex((url) => url.startsWith(callback));
      // The query holds the code.
      const loaded = requests.slice(at + 1).map((url) => url.split('?')[0]);
      console.log(JSON.stringify({ pages, title: seen.title, text: seen.text, loaded }));
      end(0);
      break;
    }
  }
} catch (error) {
  end(1, error.message);
}
