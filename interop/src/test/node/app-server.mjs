// A server with an app, built with the official package for apps. The argument is its name.
//
// Each server has the app at the same address, a tool `show` that is rendered with it, and for the app alone a tool
// `refresh`, which all servers have, and one with the name of the server.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  RESOURCE_MIME_TYPE,
  getUiCapability,
  registerAppResource,
  registerAppTool,
} from '@modelcontextprotocol/ext-apps/server';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const name = process.argv[2];
const ADDRESS = 'ui://board/main';
const server = new McpServer({ name, version: '1' });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const library = readFileSync(createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/app-with-deps'));

// Runs in the app: calls its own tools when the result of `show` has come, and again when the host asks for that.
const APP = async (App, own) => {
  const app = new App({ name: own, version: '1' }, {});
  const said = async (tool) => {
    try {
      return (await app.callServerTool({ name: tool, arguments: {} })).content[0].text;
    } catch (error) {
      return `failed: ${error.message}`;
    }
  };
  app.ontoolresult = async (result) => {
    const shown = result.content[0].text;
    document.body.textContent = shown;
    app.sendLog({ level: 'info', data: { shown, refresh: await said('refresh'), own: await said(`own_${own}`) } });
  };
  app.onhostcontextchanged = async () => app.sendLog({ level: 'info', data: { again: await said(`own_${own}`) } });
  await app.connect();
};

registerAppTool(server, 'show', { _meta: { ui: { resourceUri: ADDRESS } } }, async () =>
  text(`${name} shows; the client renders ${getUiCapability(server.server.getClientCapabilities())?.mimeTypes}`));
for (const tool of ['refresh', `own_${name}`]) {
  registerAppTool(server, tool, { _meta: { ui: { visibility: ['app'] } } }, async () => text(`${name} has ${tool}`));
}
registerAppResource(server, 'board', ADDRESS, {}, async () => ({
  contents: [
    {
      uri: ADDRESS,
      mimeType: RESOURCE_MIME_TYPE,
      text: `<!doctype html><html><body>${name}<script type="module">
        import { App } from 'data:text/javascript;base64,${library.toString('base64')}';
        (${APP})(App, ${JSON.stringify(name)});
      </script></body></html>`,
    },
  ],
}));
await server.connect(new StdioServerTransport());
