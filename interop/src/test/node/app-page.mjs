// The page of a host of apps, with the host's side of the official package. Renders the tool `show` of each server in
// a frame of its own, as its metadata says, and returns what the apps have reported.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const HOST = { name: 'host', version: '1' };
const RENDERED = 'text/html;profile=mcp-app';

/** Starts an app. The reports of the app come one after the other. */
async function rendered(client, tool) {
  const result = await client.callTool({ name: tool.name, arguments: {} });
  const uri = tool._meta.ui.resourceUri;
  const [contents] = (await client.readResource({ uri })).contents;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  document.body.append(frame);
  const bridge = new AppBridge(client, HOST, { serverTools: {}, logging: {} });
  const reports = [];
  let waiting;
  bridge.onloggingmessage = ({ data }) => {
    reports.push(data);
    waiting?.();
  };
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: {} });
    await bridge.sendToolResult(result);
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = contents.text;
  const report = async () => {
    while (reports.length === 0) await new Promise((resolve) => (waiting = resolve));
    return reports.shift();
  };
  return { bridge, report, uri, read: { uri: contents.uri, mimeType: contents.mimeType } };
}

/** The tools that are rendered. A gateway with tools of its own does not wait for those of its servers. */
async function listed(client) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { tools } = await client.listTools();
    const apps = tools.filter((tool) => tool.name.endsWith('__show'));
    if (apps.length === 2) return apps;
    await client.callTool({ name: 'mcp_discover', arguments: { query: 'show' } });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the tools with apps are not listed');
}

export async function run(url) {
  const client = new Client(HOST, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RENDERED] } } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url, location.href)));
  const apps = await listed(client);
  const seen = { extensions: client.getServerCapabilities().extensions, apps: {} };
  const running = [];
  for (const tool of apps) {
    const app = await rendered(client, tool);
    running.push([tool.name, app]);
    seen.apps[tool.name] = { uri: app.uri, read: app.read, ...(await app.report()) };
  }
  // All of them are there now.
  for (const [name, app] of running) {
    app.bridge.setHostContext({ theme: 'dark' });
    Object.assign(seen.apps[name], await app.report());
  }
  await client.close();
  return seen;
}
