// A client of the official SDK that keeps what it is sent, as it is sent.
//
// A target is {"url": "http://...", "transport": "http" or "sse"}, or {"command": ["program", "argument", ...],
// "transport": "stdio"}.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const CAPABILITIES = { sampling: {}, elicitation: {}, roots: { listChanged: true } };

// A watchdog: nothing here takes this long.
const LIMIT_MS = 90_000;
let running = 'none';
setTimeout(() => {
  console.error(`peer: not done in time, in part ${running}`);
  process.exit(3);
}, LIMIT_MS).unref();

const TRANSPORTS = {
  stdio: ({ command, env }) =>
    new StdioClientTransport({
      command: command[0],
      args: command.slice(1),
      env: { ...process.env, ...env },
      stderr: 'inherit',
    }),
  http: ({ url }, fetch) =>
    new StreamableHTTPClientTransport(new URL(url), {
      fetch,
      reconnectionOptions: {
        initialReconnectionDelay: 20,
        maxReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 5,
      },
    }),
  sse: ({ url }, fetch) => new SSEClientTransport(new URL(url), { fetch }),
};

export class Peer {
  /** Results and errors, in the order in which they came. */
  answers = [];
  /** Notifications and requests of the server, likewise. */
  heard = [];
  /** What the user is made to say to the next questions; `accept` if this is empty. */
  replies = [];
  /** Stands before the names of all tools. */
  prefix = '';
  #waiting = [];

  constructor(target, fetch) {
    this.target = target;
    this.transport = TRANSPORTS[target.transport](target, fetch);
    this.client = new Client({ name: 'peer', version: '1' }, { capabilities: CAPABILITIES });
    this.#listenIn();
    this.#answerQuestions();
  }

  async connect() {
    await this.client.connect(this.transport);
    return this.answers.at(-1);
  }

  /** The last answer, as it came, to what the action asks. */
  async answerTo(action) {
    try {
      await action(this.client);
    } catch (error) {
      if (error.code === undefined) throw error;
    }
    return this.answers.at(-1);
  }

  async call(name, args = {}, options = undefined) {
    const params = { name: this.prefix + name, arguments: args };
    return this.answerTo((client) => client.callTool(params, undefined, options));
  }

  /** Waits until the server has sent so many messages of this method since it was last asked, and hands them out. */
  async take(method, count) {
    const all = () => this.heard.filter((message) => message.method === method);
    while (all().length < count) {
      await new Promise((resolve) => this.#waiting.push(resolve));
    }
    const taken = all();
    this.heard = this.heard.filter((message) => message.method !== method);
    return taken;
  }

  async close() {
    await this.client.close();
  }

  // The client lets whoever was there before it hear every message. Ids are left out: whoever passes messages on gives
  // them new ones.
  #listenIn() {
    this.transport.onmessage = (message) => {
      if (message.method) {
        this.heard.push({ method: message.method, params: message.params });
        this.#waiting.splice(0).forEach((resolve) => resolve());
      } else {
        this.answers.push(message.result ?? { error: message.error });
      }
    };
  }

  #answerQuestions() {
    this.client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: `heard: ${params.messages[0].content.text}` },
    }));
    this.client.setRequestHandler(
      ElicitRequestSchema,
      async () => this.replies.shift() ?? { action: 'accept', content: { response: 'yes' } },
    );
    this.client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [{ uri: 'file:///somewhere', name: 'Somewhere' }],
    }));
  }
}

/** All pages of a list, as they came. */
export async function pages(peer, method) {
  const all = [];
  let cursor;
  do {
    all.push(await peer.answerTo((client) => client[method](cursor === undefined ? {} : { cursor })));
    cursor = all.at(-1).nextCursor;
  } while (cursor !== undefined && all.length < 100);
  return all;
}

/** Runs the parts one after the other and prints what each saw, all on one line. */
export async function report(parts) {
  const seen = {};
  for (const [name, part] of Object.entries(parts)) {
    running = name;
    try {
      seen[name] = await part();
    } catch (error) {
      // What became of the line: Node says only that it did not work.
      const cause = error?.cause?.code;
      seen[name] = { failed: cause === undefined ? String(error) : `${error} (${cause})` };
    }
  }
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
