// One of several official clients at a gateway, with a name that its questions and answers contain. Arguments: a target
// and {"name": "ada", "era": "session" or "modern", "capabilities": {...}, "root": "file:///...", "place": 0,
// "count": 2, "folder": "...", "rounds": 5, "calls": [{"name": ..., "arguments": {...}, "until": "text"}, ...]}.
//
// The clients say hello in the order of their places, and go on when all have. The folder has a file for each of them.
import { existsSync, writeFileSync } from 'node:fs';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { MODES } from './era-peer.mjs';

const { command, env } = JSON.parse(process.argv[2]);
const spec = JSON.parse(process.argv[3]);
const { name, capabilities, root, folder, place, count } = spec;
const isModern = spec.era === 'modern';

const asked = [];
const ANSWERS = {
  sampling: [
    isModern ? 'sampling/createMessage' : CreateMessageRequestSchema,
    async ({ params }) => {
      const { text } = params.messages[0].content;
      asked.push(text);
      return { role: 'assistant', model: 'none', content: { type: 'text', text: `${name} heard ${text}` } };
    },
  ],
  elicitation: [
    isModern ? 'elicitation/create' : ElicitRequestSchema,
    async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { response: `${name} read ${params.message}` } };
    },
  ],
  roots: [isModern ? 'roots/list' : ListRootsRequestSchema, async () => ({ roots: [{ uri: root }] })],
};

function made() {
  const self = { name, version: '1' };
  const parameters = {
    command: command[0],
    args: command.slice(1),
    env: { ...process.env, ...env },
    stderr: 'inherit',
  };
  return isModern
    ? [
        new ModernClient(self, { capabilities, versionNegotiation: { mode: MODES.pinned } }),
        new ModernTransport(parameters),
      ]
    : [new Client(self, { capabilities }), new StdioClientTransport(parameters)];
}

const [client, transport] = made();
Object.keys(capabilities).forEach((capability) => client.setRequestHandler(...ANSWERS[capability]));

async function said(tool, args) {
  try {
    const { content } = await client.callTool({ name: tool, arguments: args });
    return content.map(({ text }) => text).join('\n');
  } catch (error) {
    return String(error);
  }
}

async function hasSaidHello(other) {
  while (!existsSync(`${folder}/${other}.hello`)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The first question that the server asks in a process that it has for several clients is refused. */
async function firstQuestion() {
  const texts = [];
  do {
    texts.push(await said('peer__test_sampling', { prompt: `${name} first` }));
  } while (!texts.at(-1).includes('heard') && texts.length < 5);
  return texts;
}

async function round(number) {
  const question = `${name} ${number}`;
  return Promise.all([
    said('peer__test_sampling', { prompt: question }),
    said('peer__test_elicitation', { message: question }),
    said('peer__roots', {}),
  ]);
}

async function wanted({ name: tool, arguments: args, until }) {
  let text = await said(tool, args);
  for (let more = 0; until !== undefined && !text.includes(until) && more < 200; more++) {
    text = await said(tool, args);
  }
  return text;
}

async function seen() {
  if (place > 0) await hasSaidHello(place - 1);
  await client.connect(transport);
  const { tools } = await client.listTools();
  const hello = spec.rounds > 0 ? await said('peer__echo', { text: name }) : '';
  writeFileSync(`${folder}/${place}.hello`, '');
  await hasSaidHello(count - 1);
  const first = spec.rounds > 0 ? await firstQuestion() : [];
  const rounds = [];
  for (let number = 0; number < spec.rounds; number++) rounds.push(await round(number));
  const calls = [];
  for (const call of spec.calls) calls.push(await wanted(call));
  return { tools: tools.map((tool) => tool.name), hello, first, rounds, calls, asked };
}

process.stdout.write(`${JSON.stringify(await seen())}\n`);
await client.close();
process.exit(0);
